import { LRUCache } from 'lru-cache';
import { SafePattern } from '../../../lib/regexp/safe-pattern.js';
import { PatternError, Steps } from '../../../lib/regexp/search.js';
import { printed } from '../evaluate.js';
import { spend, templateFault } from '../handlebars/budget.js';
import type { Helper } from '../handlebars/dialect.js';

const MAX_PATTERN_LENGTH = 1_000;
const MAX_TEXT_LENGTH = 65_536;
/** A pattern can be a value of the payload, so patterns are prepared when they are used. */
const patterns = new LRUCache<string, SafePattern>({ max: 500 });

/** The steps of a test are steps of the rendering. */
const STEPS = new (class extends Steps {
  override spend(steps: number): void {
    spend(steps);
  }
})();

/** `match text pattern`: tests a text with a regular expression. */
export const match: Helper = ([text, pattern]) => {
  const [tested, source] = [printed(text), printed(pattern)];
  if (source.length > MAX_PATTERN_LENGTH)
    throw templateFault(`A regular expression has more than ${MAX_PATTERN_LENGTH} characters`);
  if (tested.length > MAX_TEXT_LENGTH)
    throw templateFault(`A text to match has more than ${MAX_TEXT_LENGTH} characters`);
  try {
    let prepared = patterns.get(source);
    if (!prepared) patterns.set(source, (prepared = new SafePattern(source)));
    return prepared.test(tested, STEPS);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw templateFault(`The regular expression ${JSON.stringify(source)} ${error.message}`);
  }
};
