import type { Express, Response } from 'express';
import { createServer, IncomingMessage, type ServerResponse } from 'node:http';
import type { NestApplicationOptions } from '@nestjs/common';
import { addHeaders, listingResponse } from '../../lib/http/listed-headers.js';
import { JSON_TYPE, PlatformAdapter, type Verb } from './platform.adapter.js';
import { RouteIndex, type Handler } from './route-index.js';

/** Middleware that dispatches a request to its route. */
export interface Dispatch extends Handler {
  index: RouteIndex;
}

/**
 * The platform's adapter with four optimizations that use undocumented extension points. They are therefore confined to
 * this file and controlled by `HTTP_FAST_PATH`, and a test suite runs the server with and without them.
 *
 * Requests and responses are created with the prototypes of Express. Otherwise Express changes the prototype for each
 * request, which makes the objects slow for their lifetime; this nearly doubles the throughput of a complete GET.
 * Routes are found by the segments of the path; Express tries hundreds of them one by one. Headers common to most
 * responses are sent as a list. JSON text is sent in one write.
 */
export class FastExpressAdapter extends PlatformAdapter {
  private readonly index = new RouteIndex();
  private Answer?: new (request: IncomingMessage) => ServerResponse;

  override initHttpServer(options: NestApplicationOptions): void {
    super.initHttpServer(options);
    if (options.httpsOptions) return;
    const app = this.getInstance<Express>();
    class Received extends IncomingMessage {}
    const Answer = (this.Answer = listingResponse());
    app.request = createWithPrototype(Received, app.request);
    app.response = createWithPrototype(Answer, app.response);
    this.httpServer = createServer({ IncomingMessage: Received, ServerResponse: Answer }, app);
    if (options.forceCloseConnections)
      (this as unknown as { trackOpenConnections(): void }).trackOpenConnections();
  }

  override respondTo(request: IncomingMessage): ServerResponse {
    return this.Answer ? new this.Answer(request) : super.respondTo(request);
  }

  /** A single write with the headers; Express would create a buffer of the text and write twice. */
  protected override send(response: Response, json: string, encoding: 'utf8' | 'latin1'): unknown {
    const length = String(Buffer.byteLength(json, encoding));
    addHeaders(response, ['Content-Type', JSON_TYPE, 'Content-Length', length]);
    return response.req.method === 'HEAD' ? response.end() : response.end(json, encoding);
  }

  /** Adds the route to the index, which takes the position of its first route among the routes of Express. */
  protected override addRoute(verb: Verb, path: string, handler: Handler): void {
    const { index } = this;
    const isFirst = index.routes.length === 0;
    if (!index.add(verb, path, handler)) super.addRoute(verb, path, handler);
    else if (isFirst) this.getInstance<Express>().use(Object.assign(index.dispatch, { index }));
  }
}

/** Makes instances of a class inherit from `prototype` through the prototype of the class, which it returns. */
function createWithPrototype<T extends object>(type: { prototype: object }, prototype: T): T {
  return Object.setPrototypeOf(type.prototype, prototype) as T;
}
