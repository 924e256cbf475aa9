import type { INestApplication } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import qs from 'qs';
import { ErrorFilter, type AllowedMethods } from '../responses/error.filter.js';
import { NotFound } from '../../lib/errors/errors.js';
import type { Metrics } from '../probes/metrics.js';
import { limitUnreadBody } from './unread-body.js';
import { handleClientError } from './client-error.js';
import { compressDocument } from './compressed.js';
import { crossOrigin } from './cross-origin.js';
import { withoutPorts } from './forwarded.js';
import { addHeaders } from '../../lib/http/listed-headers.js';
import type { Dispatch } from './fast-express.adapter.js';
import { requestLogger, type LogOptions } from './log.js';
import type { IndexedRoute } from './route-index.js';

type Middleware = (request: Request, response: Response, next: NextFunction) => void;

export interface HttpOptions {
  log: LogOptions;
  metrics: Metrics;
  /** `true` for processes that serve only probes and no API. */
  probesOnly: boolean;
  /** Number of trusted proxies for the address of the client. */
  trustProxy: number;
  /** Origins whose pages may read responses. */
  origins: '*' | string[];
  allowed: AllowedMethods;
}

/** Headers of the pages under `/docs`. Omits those that browsers reject or warn about without TLS. */
const PAGE_HEADERS: HelmetOptions = {
  contentSecurityPolicy: {
    directives: { fontSrc: ["'self'"], styleSrc: ["'self'"], upgradeInsecureRequests: null },
  },
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
};

/** Installs the middleware that runs before the guards, in this order: request ID and log, headers. */
export function configureHttp(app: NestExpressApplication, options: HttpOptions): void {
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', parseQuery);
  app.set('trust proxy', options.trustProxy);
  const probesOnly = options.probesOnly ? [onlyProbes] : [];
  app.use(
    combineMiddleware(
      ...(options.trustProxy > 0 ? [withoutPorts] : []),
      requestLogger(options.log, options.metrics),
      ...probesOnly,
      securityHeaders,
      crossOrigin(options.origins),
      compressDocument,
      limitUnreadBody,
    ),
  );
  app.useGlobalFilters(new ErrorFilter(options.allowed));
  app.getHttpServer().on('clientError', handleClientError);
}

/** Combines several middleware functions: Express takes as long to call the next one as they take to run. */
function combineMiddleware(...steps: Middleware[]): Middleware {
  return steps.reduceRight((after, step) => (request, response, next) => {
    step(request, response, (error?: unknown) => (error ? next(error) : after(request, response, next)));
  });
}

/**
 * Parses brackets such as `triggerFilter[0][type]` up to a maximum depth; deeper ones become flat names, which are
 * ignored. The limit on the number of parameters is close to what fits into a request head, because parameters beyond
 * it are silently ignored.
 */
export function parseQuery(text: string): Record<string, unknown> {
  return qs.parse(text, { depth: 3, arrayLimit: 100, parameterLimit: 2000, allowPrototypes: false });
}

function onlyProbes({ path }: Request, _response: Response, next: NextFunction): void {
  if (!/^\/(health(\/ready)?|metrics)$/.test(path)) throw new NotFound('This path');
  next();
}

/** Prevents browsers from sniffing JSON responses, and caches from serving responses for one origin to another. */
const DATA_HEADERS = [
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ...['Cache-Control', 'no-store'],
  ...['Vary', 'Origin'],
];

const pageHeaders = helmet(PAGE_HEADERS);

/** Sets the headers of Helmet on pages under `/docs`. */
function securityHeaders(request: Request, response: Response, next: NextFunction): void {
  if (request.url.startsWith('/docs')) return pageHeaders(request, response.vary('Origin'), next);
  addHeaders(response, DATA_HEADERS);
  next();
}

/** A route of Express or of the index, or middleware. */
interface RouteLayer {
  name: string;
  route?: IndexedRoute;
}

interface Layer extends RouteLayer {
  handle: Partial<Dispatch>;
  match(path: string): boolean;
}

function stackOf(app: INestApplication): Layer[] {
  return (app.getHttpAdapter().getInstance() as { router: { stack: Layer[] } }).router.stack;
}

/** Returns the routes and middleware of Express, including the routes of the index. */
export function layersOf(app: INestApplication): RouteLayer[] {
  return stackOf(app).flatMap<RouteLayer>((layer) => {
    const { index } = layer.handle;
    return index ? index.routes.map((route) => ({ name: layer.name, route })) : [layer];
  });
}

/** Returns a function that lists the methods that the router supports for a path. */
export function routesOf(app: INestApplication): AllowedMethods {
  return (path) => {
    const routes = stackOf(app).flatMap((layer) => {
      const { handle, route } = layer;
      if (handle.index) return handle.index.find(path);
      return route && layer.match(path) ? [route] : [];
    });
    const verbs = new Set(routes.flatMap(({ methods }) => Object.keys(methods)));
    return [...verbs].map((verb) => verb.toUpperCase()).sort();
  };
}
