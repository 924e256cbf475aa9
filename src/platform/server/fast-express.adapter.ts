import { Router, type Express, type NextFunction, type Request, type Response } from 'express';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { NestApplicationOptions } from '@nestjs/common';
import { PlatformAdapter } from './platform.adapter.js';

type Handler = (request: Request, response: Response, next: NextFunction) => unknown;
type Verb = 'get' | 'post' | 'patch' | 'delete';

/** The middleware that hands a request to the routes of its first path segment. */
export interface Dispatch extends Handler {
  routers: ReadonlyMap<string, Router>;
}

/**
 * The platform's adapter, made quick in three ways that are no documented extension points: so they stay in this one
 * file behind `HTTP_FAST_PATH`, and a suite runs the server both ways.
 *
 * Requests and responses are born with Express's prototypes. Express sets them on every request otherwise, and an
 * object whose prototype was changed is slow for the engine for as long as it lives: this nearly doubles a whole GET.
 * Routes are found by their first segment; Express tries one after the other, and there are hundreds. JSON text goes
 * out in one write.
 */
export class FastExpressAdapter extends PlatformAdapter {
  private readonly routers = new Map<string, Router>();

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

  /** One write with the headers; Express would make a buffer of the text and send two. */
  protected override send(response: Response, text: string): unknown {
    response.setHeader('Content-Length', Buffer.byteLength(text));
    return response.req.method === 'HEAD' ? response.end() : response.end(text);
  }

  override get(...route: unknown[]): void {
    this.route('get', route as [string, ...Handler[]]);
  }

  override post(...route: unknown[]): void {
    this.route('post', route as [string, ...Handler[]]);
  }

  override patch(...route: unknown[]): void {
    this.route('patch', route as [string, ...Handler[]]);
  }

  override delete(...route: unknown[]): void {
    this.route('delete', route as [string, ...Handler[]]);
  }

  private route(verb: Verb, [path, ...handlers]: [string, ...Handler[]]): void {
    const segment = segmentOf(path);
    if (this.routers.size === 0) this.getInstance<Express>().use(this.dispatch());
    let router = this.routers.get(segment);
    if (!router) this.routers.set(segment, (router = Router()));
    router[verb](path, ...handlers);
  }

  private dispatch(): Dispatch {
    const { routers } = this;
    const find: Handler = (request, response, next) => {
      // A router answers OPTIONS by itself; here that is a verb like any other.
      const router = request.method === 'OPTIONS' ? undefined : routers.get(segmentOf(request.path));
      if (router) router(request, response, next);
      else next();
    };
    return Object.assign(find, { routers });
  }
}

/** `applications` of `/applications/:applicationId`; paths are the same in upper and lower case. */
function segmentOf(path: string): string {
  const end = path.indexOf('/', 1);
  return (end < 0 ? path.slice(1) : path.slice(1, end)).toLowerCase();
}

/** A constructor like `base` whose instances have `prototype`, which inherits from that of `base`. */
function bornWith(base: Function, prototype: object): Function {
  function Born(this: object, ...parameters: unknown[]): void {
    base.apply(this, parameters);
  }
  Born.prototype = prototype;
  return Born;
}
