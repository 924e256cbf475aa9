import { createHash } from 'node:crypto';
import { ValidationError } from '../../../lib/errors/errors.js';

/** A segment of a route, between slashes: text, any one segment, or all that follow, be it none. */
type Segment =
  | { kind: 'static'; text: string }
  | { kind: 'parameter'; name: string; optional: boolean }
  | { kind: 'wildcard'; name: string };

/** What follows from a route, for whoever stores it. */
export interface RouteFacts {
  /**
   * Digests of what it matches, whatever its parameters are called: two routes can match the same path with the same right
   * exactly where they have one of these in common. An optional parameter makes two, with it and without.
   */
  patterns: string[];
  /** Text that sorts routes, by bytes, as they are tried: text before parameters, parameters before wildcards. */
  precedence: string;
}

const PARAMETER = /^\{(\w+)([?*]?)\}$/;
const OUTSIDE_PATHS = /[{}?#*\\\s\p{Cc}]/u;
const PARAMETER_PATTERN = '{}';
const WILDCARD_PATTERN = '{*}';
/** By these characters a segment of each kind sorts, and matches are compared. */
const RANK = { static: '0', parameter: '1', wildcard: '2' } as const;

/** What follows from a route, or 400 that calls it `at`. */
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

/** The route that a path goes to, where one matches it. At most one does best, as no two have a pattern in common. */
export function bestMatch<T extends { route: string }>(routes: readonly T[], path: string): T | undefined {
  const wanted = pathSegments(path);
  let best: { found: T; rank: string } | undefined;
  for (const found of routes) {
    const rank = rankOf(segmentsOf(found.route, 'route'), wanted);
    if (rank !== undefined && (!best || rank < best.rank)) best = { found, rank };
  }
  return best?.found;
}

/** How well a route matches a path, segment by segment; what sorts first matches better. */
function rankOf(segments: readonly Segment[], path: readonly string[]): string | undefined {
  let rank = '';
  for (const [i, segment] of segments.entries()) {
    const wanted = path[i];
    if (segment.kind === 'wildcard') return rank + RANK.wildcard;
    if (wanted === undefined) return segment.kind === 'parameter' && segment.optional ? rank : undefined;
    if (segment.kind === 'static' && segment.text !== wanted) return undefined;
    rank += RANK[segment.kind];
  }
  return segments.length === path.length ? rank : undefined;
}

function segmentsOf(route: string, at: string): Segment[] {
  if (!route.startsWith('/')) throw new ValidationError(`${at} must begin with a slash`);
  const segments = pathSegments(route).map((text): Segment => {
    const [, name, more] = PARAMETER.exec(text) ?? [];
    if (name !== undefined)
      return more === '*' ? { kind: 'wildcard', name } : { kind: 'parameter', name, optional: more === '?' };
    if (text === '') throw new ValidationError(`${at} must have no empty segment`);
    if (OUTSIDE_PATHS.test(text))
      throw new ValidationError(
        `${at}: ${JSON.stringify(text)} must be text without spaces, or one of {name}, {name?} and {name*}`,
      );
    return { kind: 'static', text };
  });
  const names = segments.flatMap((segment) => (segment.kind === 'static' ? [] : [segment.name]));
  if (new Set(names).size < names.length) throw new ValidationError(`${at} must name each parameter once`);
  if (segments.slice(0, -1).some(isLastAlone))
    throw new ValidationError(`${at} can have an optional parameter or a wildcard only at its end`);
  return segments;
}

const isLastAlone = (segment: Segment): boolean =>
  segment.kind === 'wildcard' || (segment.kind === 'parameter' && segment.optional);

/** A slash at the end makes no difference. */
function pathSegments(path: string): string[] {
  const segments = path.split('/').slice(1);
  if (segments.at(-1) === '') segments.pop();
  return segments;
}

function patternOf(segment: Segment): string {
  if (segment.kind === 'static') return segment.text;
  return segment.kind === 'wildcard' ? WILDCARD_PATTERN : PARAMETER_PATTERN;
}
