import { createHash } from 'node:crypto';
import { ValidationError } from '../../../lib/errors/errors.js';

/**
 * A segment of a route, between slashes: static text, a parameter for one segment, or a wildcard for all remaining
 * segments.
 */
export type Segment =
  | { kind: 'static'; text: string }
  | { kind: 'parameter'; name: string; optional: boolean }
  | { kind: 'wildcard'; name: string };

/** Facts derived from a route that are stored with it. */
export interface RouteFacts {
  /**
   * Digests of the patterns that the route matches, independent of parameter names. Two routes can match the same path
   * with the same precedence only if they have a digest in common. A route with an optional parameter has two: with and
   * without it.
   */
  patterns: string[];
  /** Key that sorts routes, by bytes, in matching order: static text before parameters, parameters before wildcards. */
  precedence: string;
}

const PARAMETER = /^\{(\w+)([?*]?)\}$/;
const OUTSIDE_PATHS = /[{}?#*\\\s\p{Cc}]/u;
const PARAMETER_PATTERN = '{}';
const WILDCARD_PATTERN = '{*}';
/** Characters that rank each kind of segment, for sorting routes. */
const RANK = { static: '0', parameter: '1', wildcard: '2' } as const;
/** Ranks of segments of matches: an optional parameter comes after others. */
const MATCH_RANK = { static: '0', parameter: '1', optional: '2', wildcard: '3' } as const;

/** Derives the facts of a route. Throws 400 if it is invalid; `at` is its path in error messages. */
export function routeFacts(route: string, at: string): RouteFacts {
  const segments = segmentsOf(route, at);
  const last = segments.at(-1);
  const patterns = [segments.map(patternOf)];
  if (last?.kind === 'parameter' && last.optional) patterns.push(patterns[0]!.slice(0, -1));
  return {
    patterns: patterns.map((pattern) => createHash('sha256').update(pattern.join('/')).digest('hex')),
    precedence: segments
      .map((segment) => RANK[segment.kind] + (segment.kind === 'static' ? segment.text : ''))
      .join('/'),
  };
}

/**
 * Returns the most specific route that matches a path, if any. It is unique because no two routes have a pattern in
 * common.
 */
export function bestMatch<T extends { route: string }>(routes: readonly T[], path: string): T | undefined {
  const wanted = pathSegments(path);
  let best: { found: T; rank: string } | undefined;
  for (const found of routes) {
    const rank = rankOf(segmentsOf(found.route, 'route'), wanted);
    if (rank !== undefined && (!best || rank < best.rank)) best = { found, rank };
  }
  return best?.found;
}

/** Ranks the match of a route with a path, segment by segment. Lower values are better matches. */
function rankOf(segments: readonly Segment[], path: readonly string[]): string | undefined {
  let rank = '';
  for (const [i, segment] of segments.entries()) {
    const wanted = path[i];
    if (segment.kind === 'wildcard') return rank + MATCH_RANK.wildcard;
    if (wanted === undefined) return segment.kind === 'parameter' && segment.optional ? rank : undefined;
    if (segment.kind === 'static' && segment.text !== wanted) return undefined;
    rank += MATCH_RANK[segment.kind === 'parameter' && segment.optional ? 'optional' : segment.kind];
  }
  return segments.length === path.length ? rank : undefined;
}

/** Reads the segments of a route. Throws 400 if it is invalid; `at` is its path in error messages. */
export function segmentsOf(route: string, at: string): Segment[] {
  if (!route.startsWith('/')) throw new ValidationError(`${at} must begin with a slash`);
  const segments = pathSegments(route).map((text): Segment => {
    const [, name, more] = PARAMETER.exec(text) ?? [];
    if (name !== undefined)
      return more === '*' ? { kind: 'wildcard', name } : { kind: 'parameter', name, optional: more === '?' };
    if (text === '') throw new ValidationError(`${at} must not contain empty segments`);
    if (OUTSIDE_PATHS.test(text))
      throw new ValidationError(
        `${at}: ${JSON.stringify(text)} must be text without spaces, or one of {name}, {name?} and {name*}`,
      );
    return { kind: 'static', text };
  });
  const names = segments.flatMap((segment) => (segment.kind === 'static' ? [] : [segment.name]));
  if (new Set(names).size < names.length)
    throw new ValidationError(`${at} must not contain duplicate parameters`);
  if (segments.slice(0, -1).some(isLastAlone))
    throw new ValidationError(`${at} can contain an optional parameter or wildcard only at its end`);
  return segments;
}

const isLastAlone = (segment: Segment): boolean =>
  segment.kind === 'wildcard' || (segment.kind === 'parameter' && segment.optional);

/** Splits a path into segments, ignoring a trailing slash. */
export function pathSegments(path: string): string[] {
  const segments = path.split('/').slice(1);
  if (segments.at(-1) === '') segments.pop();
  return segments;
}

function patternOf(segment: Segment): string {
  if (segment.kind === 'static') return segment.text;
  return segment.kind === 'wildcard' ? WILDCARD_PATTERN : PARAMETER_PATTERN;
}
