import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Response } from 'express';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { NestApplicationOptions } from '@nestjs/common';

/**
 * Nest's Express adapter, but requests and responses are born with Express's prototypes. Express sets them on every
 * request otherwise, and an object whose prototype was changed is slow for the engine for as long as it lives: this
 * nearly doubles a whole GET. It is no documented extension point, so it stays in this one file behind
 * `HTTP_FAST_PATH`, and a suite runs the server both ways.
 */
export class FastExpressAdapter extends ExpressAdapter {
  override initHttpServer(options: NestApplicationOptions): void {
    super.initHttpServer(options);
    if (options.httpsOptions) return;
    const app = this.getInstance<Express>();
    this.httpServer = createServer(
      {
        IncomingMessage: bornWith(IncomingMessage, app.request),
        ServerResponse: bornWith(ServerResponse, app.response),
      } as never,
      app,
    );
    if (options.forceCloseConnections)
      (this as unknown as { trackOpenConnections(): void }).trackOpenConnections();
  }

  /** Text whose type is set goes out as one write with its headers; Express would make a buffer of it and send two. */
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (typeof body !== 'string' || !response.hasHeader('Content-Type'))
      return super.reply(response, body, statusCode);
    if (statusCode) response.statusCode = statusCode;
    response.setHeader('Content-Length', Buffer.byteLength(body));
    return response.req.method === 'HEAD' ? response.end() : response.end(body);
  }
}

/** A constructor like `base` whose instances have `prototype`, which inherits from that of `base`. */
function bornWith(base: Function, prototype: object): Function {
  function Born(this: object, ...parameters: unknown[]): void {
    base.apply(this, parameters);
  }
  Born.prototype = prototype;
  return Born;
}
