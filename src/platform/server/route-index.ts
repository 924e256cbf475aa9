import type { NextFunction, Request, Response } from 'express';

export type Handler = (request: Request, response: Response, next: NextFunction) => unknown;

/** A route with the property names of Express, because `request.route` is one. */
export interface IndexedRoute {
  readonly path: string | string[];
  /** Methods of the route, in lower case. */
  readonly methods: Readonly<Record<string, true>>;
}

interface Route extends IndexedRoute {
  readonly method: string;
  readonly handler: Handler;
  readonly parameters: readonly { name: string; at: number }[];
  readonly order: number;
}

interface Branch {
  readonly literals: Map<string, Branch>;
  parameter?: Branch;
  /** Routes whose path ends here. */
  readonly routes: Route[];
}

/** Paths whose segments are text or a single parameter. Express handles all other patterns. */
const PLAIN = /^(\/([\w.~-]+|:\w+))+\/?$/;

/**
 * Index of routes by path segments: the cost of a look-up depends on the path, not on the number of routes. It finds
 * the same routes as the router of Express. The first registered route wins. Matching ignores case, a trailing slash is
 * allowed, and parameters are decoded; an invalid encoding is an error.
 */
export class RouteIndex {
  readonly routes: IndexedRoute[] = [];
  private readonly root = branch();

  /** Adds a route if its path is plain. Returns whether it was added. */
  add(verb: string, path: string, handler: Handler): boolean {
    if (!PLAIN.test(path)) return false;
    const parameters: { name: string; at: number }[] = [];
    let end = this.root;
    for (const [at, segment] of segmentsOf(path).entries()) {
      if (segment.startsWith(':')) {
        parameters.push({ name: segment.slice(1), at });
        end = end.parameter ??= branch();
      } else {
        const text = segment.toLowerCase();
        const next = end.literals.get(text) ?? branch();
        end.literals.set(text, next);
        end = next;
      }
    }
    const order = this.routes.length;
    const route = {
      path,
      methods: { [verb]: true },
      method: verb.toUpperCase(),
      handler,
      parameters,
      order,
    } as const;
    end.routes.push(route);
    this.routes.push(route);
    return true;
  }

  /** Returns the routes of a path for all methods. */
  find(path: string): readonly IndexedRoute[] {
    return routesBelow(this.root, segmentsOf(path), 0);
  }

  /**
   * Dispatches a request to its route and, if the handler passes it on, to the next route with the same method and
   * path.
   */
  readonly dispatch = (request: Request, response: Response, next: NextFunction): unknown => {
    const { path } = request;
    const segments = segmentsOf(path);
    const routes = routesBelow(this.root, segments, 0);
    if (routes.length === 0) return next();
    // An invalid encoding is reported before an unsupported method. It is in a parameter, and thus in one of every
    // route.
    if (path.includes('%')) parametersOf(routes[0]!, segments);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const handOn = (from: number): unknown => {
      for (let at = from; at < routes.length; at++) {
        const route = routes[at]!;
        if (route.method !== method) continue;
        request.route = route;
        request.params = parametersOf(route, segments);
        return route.handler(
          request,
          response,
          (error?: unknown) => void (error ? next(error) : handOn(at + 1)),
        );
      }
      return next();
    };
    return handOn(0);
  };
}

function branch(): Branch {
  return { literals: new Map(), routes: [] };
}

/** Returns the segments of a path, without a trailing slash. */
function segmentsOf(path: string): string[] {
  if (!path.startsWith('/')) return [];
  const end = path.length > 1 && path.endsWith('/') ? path.length - 1 : path.length;
  return path.slice(1, end).split('/');
}

/** Returns the routes at the ends of all paths that the segments match; usually there is one. */
function routesBelow(
  { literals, parameter, routes }: Branch,
  segments: readonly string[],
  at: number,
): readonly Route[] {
  if (at === segments.length) return routes;
  const segment = segments[at]!;
  const literal = literals.get(segment.toLowerCase());
  const exact = literal ? routesBelow(literal, segments, at + 1) : NONE;
  const named = parameter && segment !== '' ? routesBelow(parameter, segments, at + 1) : NONE;
  if (exact.length === 0) return named;
  return named.length === 0 ? exact : [...exact, ...named].sort((a, b) => a.order - b.order);
}

const NONE: readonly Route[] = [];

function parametersOf({ parameters }: Route, segments: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (const { name, at } of parameters) values[name] = decoded(segments[at]!);
  return values;
}

/** Uses the error format of Express, which the filters of Nest and the platform recognize. */
function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch (error) {
    throw Object.assign(error as URIError, {
      message: `Failed to decode param '${text}'`,
      status: 400,
      statusCode: 400,
    });
  }
}
