import { pathSegments, segmentsOf } from '../../modules/experience/experience-endpoints/route.js';

/** An endpoint with its route, such as `/pumps/{pumpId}`. */
export interface Routed {
  readonly method: string;
  readonly route: string;
}

/** An endpoint that a request matches, with the decoded values of its parameters. */
export interface Match<E> {
  readonly endpoint: E;
  readonly params: Readonly<Record<string, string>>;
}

/** The end of a route: its endpoint, and the names of its parameters in order. */
interface End<E> {
  readonly endpoint: E;
  readonly names: readonly string[];
}

/** Routes of a method. */
interface Routes<E> {
  readonly tree: Place<E>;
  /** Matches of routes without parameters, by the path as most clients send it. Such a route is the most specific one. */
  readonly fixed: Map<string, Match<E>>;
}

/** Position in the tree of routes after some segments. */
interface Place<E> {
  readonly literals: Map<string, Place<E>>;
  parameter?: Place<E>;
  /** Route that ends here. */
  end?: End<E>;
  /** Route that ends here with an optional parameter, present or not. */
  optional?: End<E>;
  /** Route that takes all remaining segments, also none. */
  rest?: End<E>;
}

const NO_PARAMS = Object.freeze({});

const newPlace = <E>(): Place<E> => ({ literals: new Map() });

/**
 * Finds the endpoint of a request. A look-up takes as long as the path has segments, however many endpoints there are;
 * the parameter beside a literal is tried too if the literal leads nowhere. The most specific route wins, compared
 * segment by segment from the left: literal, parameter, optional parameter, rest of the path.
 */
export class Router<E extends Routed> {
  private readonly methods = new Map<string, Routes<E>>();

  constructor(endpoints: readonly E[]) {
    for (const endpoint of endpoints) this.add(endpoint);
  }

  /** Returns the endpoint for a method in lower case and a path without query. Throws `URIError` for a malformed path. */
  match(method: string, path: string): Match<E> | undefined {
    const routes = this.methods.get(method);
    const fixed = routes?.fixed.get(path);
    if (fixed) return fixed;
    const segments = pathSegments(path).map(decodeURIComponent);
    const values: string[] = [];
    const end = routes && find(routes.tree, segments, 0, values);
    if (!end) return undefined;
    const params = Object.fromEntries(end.names.slice(0, values.length).map((name, i) => [name, values[i]!]));
    return { endpoint: end.endpoint, params };
  }

  private add(endpoint: E): void {
    const { method, route } = endpoint;
    const routes: Routes<E> = this.methods.get(method) ?? { tree: newPlace(), fixed: new Map() };
    this.methods.set(method, routes);
    let place = routes.tree;
    const names: string[] = [];
    for (const segment of segmentsOf(route, 'route')) {
      if (segment.kind === 'static') {
        const next: Place<E> = place.literals.get(segment.text) ?? newPlace();
        place.literals.set(segment.text, next);
        place = next;
        continue;
      }
      names.push(segment.name);
      if (segment.kind === 'wildcard') return void (place.rest = { endpoint, names });
      if (segment.optional) return void (place.optional = { endpoint, names });
      place = place.parameter ??= newPlace();
    }
    place.end = { endpoint, names };
    if (names.length === 0 && !route.includes('%')) routes.fixed.set(route, { endpoint, params: NO_PARAMS });
  }
}

/** Returns the best end below a place for the segments from `at` on, and adds the values of its parameters. */
function find<E>(
  place: Place<E>,
  segments: readonly string[],
  at: number,
  values: string[],
): End<E> | undefined {
  const segment = segments[at];
  if (segment === undefined) return place.end ?? place.optional ?? restOf(place, segments, at, values);
  const literal = place.literals.get(segment);
  const byLiteral = literal && find(literal, segments, at + 1, values);
  if (byLiteral) return byLiteral;
  if (segment !== '') {
    values.push(segment);
    const byParameter = place.parameter && find(place.parameter, segments, at + 1, values);
    if (byParameter) return byParameter;
    if (place.optional && at === segments.length - 1) return place.optional;
    values.pop();
  }
  return restOf(place, segments, at, values);
}

function restOf<E>(
  { rest }: Place<E>,
  segments: readonly string[],
  at: number,
  values: string[],
): End<E> | undefined {
  if (rest) values.push(segments.slice(at).join('/'));
  return rest;
}
