import type { Express, Response } from 'express';
import { createServer, IncomingMessage } from 'node:http';
import type { NestApplicationOptions } from '@nestjs/common';
import { addHeaders, listingResponse } from '../../lib/http/listed-headers.js';
import { JSON_TYPE, PlatformAdapter } from './platform.adapter.js';
import { RouteIndex, type Handler } from './route-index.js';

type Verb = 'get' | 'post' | 'patch' | 'delete';

/** The middleware that hands a request to its route. */
export interface Dispatch extends Handler {
  index: RouteIndex;
}

/**
 * The platform's adapter, made quick in four ways that are no documented extension points: so they stay here, behind
 * `HTTP_FAST_PATH`, and a suite runs the server both ways.
 *
 * Requests and responses are born with Express's prototypes. Express sets them on every request otherwise, and an
 * object whose prototype was changed is slow for the engine for as long as it lives: this nearly doubles a whole GET.
 * Routes are found by the segments of the path; Express tries one after the other, and there are hundreds. Headers
 * that most answers have go out as a list. JSON text goes out in one write.
 */
export class FastExpressAdapter extends PlatformAdapter {
  private readonly index = new RouteIndex();

  override initHttpServer(options: NestApplicationOptions): void {
    super.initHttpServer(options);
    if (options.httpsOptions) return;
    const app = this.getInstance<Express>();
    class Received extends IncomingMessage {}
    const Answer = listingResponse();
    app.request = bornAs(Received, app.request);
    app.response = bornAs(Answer, app.response);
    this.httpServer = createServer({ IncomingMessage: Received, ServerResponse: Answer }, app);
    if (options.forceCloseConnections)
      (this as unknown as { trackOpenConnections(): void }).trackOpenConnections();
  }

  /** One write with the headers; Express would make a buffer of the text and send two. */
  protected override send(response: Response, text: string): unknown {
    addHeaders(response, ['Content-Type', JSON_TYPE, 'Content-Length', String(Buffer.byteLength(text))]);
    return response.req.method === 'HEAD' ? response.end() : response.end(text);
  }

  override get(...route: unknown[]): void {
    this.route('get', route as [string, Handler]);
  }

  override post(...route: unknown[]): void {
    this.route('post', route as [string, Handler]);
  }

  override patch(...route: unknown[]): void {
    this.route('patch', route as [string, Handler]);
  }

  override delete(...route: unknown[]): void {
    this.route('delete', route as [string, Handler]);
  }

  /** Into the index, which stands among Express's own routes where its first one would. */
  private route(verb: Verb, [path, handler]: [string, Handler]): void {
    const { index } = this;
    const isFirst = index.routes.length === 0;
    if (!index.add(verb, path, handler)) this.getInstance<Express>()[verb](path, handler);
    else if (isFirst) this.getInstance<Express>().use(Object.assign(index.dispatch, { index }));
  }
}

/** Has the instances of a class inherit from `prototype`, by way of the class's own; answers the latter. */
function bornAs<T extends object>(type: { prototype: object }, prototype: T): T {
  return Object.setPrototypeOf(type.prototype, prototype) as T;
}
