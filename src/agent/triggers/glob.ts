import { dirname, isAbsolute, resolve, sep } from 'node:path';

/** Characters that make a segment a pattern. */
const WILD = /[*?]/;

/** Compiled pattern of paths. */
export interface Glob {
  /** Deepest folder that contains everything that the pattern matches. */
  readonly base: string;
  matches(path: string): boolean;
  /** Whether a folder can contain something that the pattern matches. */
  mayContain(folder: string): boolean;
}

/**
 * Compiles a pattern such as `/data/*.csv`: `*` and `?` match within a segment, and `**` matches any number of segments.
 * A pattern without them names a file, or a folder with everything inside.
 */
export function compileGlob(pattern: string): Glob {
  const path = isAbsolute(pattern) ? pattern : resolve(pattern);
  const segments = path.split(sep);
  const wild = segments.findIndex((segment) => WILD.test(segment));
  if (wild < 0)
    return {
      base: path,
      matches: (found) => found === path || found.startsWith(`${path}${sep}`),
      mayContain: () => true,
    };
  const base = segments.slice(0, wild).join(sep) || sep;
  return {
    base,
    matches: (found) => matchesAll(segments, found.split(sep), false),
    mayContain: (folder) =>
      folder === base || folder === dirname(base) || matchesAll(segments, folder.split(sep), true),
  };
}

/** Whether the segments of a path match; `isPrefix` accepts a path whose continuation could match. */
function matchesAll(segments: readonly string[], parts: readonly string[], isPrefix: boolean): boolean {
  // States are positions in the pattern, so that no pattern takes more than segments × parts steps.
  let states = closure(segments, new Set([0]));
  for (const part of parts) {
    const next = new Set<number>();
    for (const at of states) {
      if (segments[at] === '**') next.add(at);
      else if (at < segments.length && matchesSegment(segments[at]!, part)) next.add(at + 1);
    }
    states = closure(segments, next);
    if (states.size === 0) return false;
  }
  return isPrefix || states.has(segments.length);
}

/** Adds the positions after each `**`, which may match no segment. */
function closure(segments: readonly string[], states: Set<number>): Set<number> {
  for (const at of states) if (segments[at] === '**') states.add(at + 1);
  return states;
}

/** Matches `*` and `?` in one segment, in a number of steps that grows with the product of both lengths at most. */
function matchesSegment(pattern: string, text: string): boolean {
  let [p, t, star, from] = [0, 0, -1, 0];
  while (t < text.length) {
    if (pattern[p] === '*') [star, from] = [p++, t];
    else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[t])) {
      p++;
      t++;
    } else if (star >= 0) [p, t] = [star + 1, ++from];
    else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}
