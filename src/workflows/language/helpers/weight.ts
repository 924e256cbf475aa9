import { MAX_OUTPUT, spend, templateFault } from '../handlebars/budget.js';

/** Deepest value that helpers read, so that none of them overflows the stack. */
const MAX_DEPTH = 200;

/**
 * Counts all of a value before a helper reads it: its members and texts. A small value can be large as text, because it
 * can contain the same list many times. Throws a `RunFault`.
 */
export function spendValue(value: unknown): void {
  let left = MAX_OUTPUT;
  const count = (part: unknown, depth: number): void => {
    if (typeof part === 'string') left -= part.length;
    if (left < 0) throw templateFault(`A helper returned more than ${MAX_OUTPUT} characters`);
    spend(typeof part === 'string' ? 1 + (part.length >> 5) : 1);
    if (typeof part !== 'object' || part === null) return;
    if (depth > MAX_DEPTH) throw templateFault(`A value is nested more than ${MAX_DEPTH} levels deep`);
    if (Array.isArray(part)) for (const item of part) count(item, depth + 1);
    else
      for (const [name, item] of Object.entries(part)) {
        left -= name.length;
        count(item, depth + 1);
      }
  };
  count(value, 0);
}
