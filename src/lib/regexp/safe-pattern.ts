import { parsePattern, type Matcher } from './parse-pattern.js';
import { PatternError, Search, Steps } from './search.js';

/** Maximum length of a pattern. */
const MAX_LENGTH = 4096;

/**
 * A regular expression of a tenant: the syntax of JavaScript without flags, except for references to groups. No pattern
 * can block the event loop. The positions that a part of it can reach are a set, so that no position is tried twice, and
 * the number of steps is bounded.
 */
export class SafePattern {
  private readonly matcher: Matcher;

  /** Throws a `PatternError` if the pattern is invalid, too long, or refers to a group. */
  constructor(private readonly source: string) {
    if (source.length > MAX_LENGTH) throw new PatternError(`must have at most ${MAX_LENGTH} characters`);
    assertSyntax(source);
    this.matcher = parsePattern(source);
  }

  /** Returns whether a part of the text matches. Throws a `PatternError` if that takes too many of the steps. */
  test(text: string, steps = new Steps()): boolean {
    const search = new Search(text, steps);
    return this.matcher(search, search.everywhere(), 1).length > 0;
  }

  toString(): string {
    return this.source;
  }
}

/** V8 only parses here: it compiles an expression when it is first used. */
function assertSyntax(source: string): void {
  try {
    new RegExp(source);
  } catch (error) {
    throw new PatternError(`is not a regular expression: ${(error as Error).message}`);
  }
}
