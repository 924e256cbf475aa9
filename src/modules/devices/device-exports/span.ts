import { ValidationError } from '../../../lib/errors/errors.js';
import { momentOf } from '../../../platform/lists/moments.js';

/** Time range from `start` (inclusive) to `end` (exclusive), in milliseconds since 1970. */
export interface Span {
  start: number;
  end: number;
}

/**
 * Returns the time range of a body, with defaults from another one; throws a 400 error if it is empty. `body` is the
 * name in messages.
 */
export function spanOf(
  asked: { start?: number; end?: number },
  otherwise: { start: Date | number; end: Date | number },
  body: string,
): Span {
  const now = Date.now();
  const moment = (name: 'start' | 'end'): number => {
    const value = asked[name];
    return value === undefined ? Number(otherwise[name]) : momentOf(`${body}.${name}`, value, now).getTime();
  };
  const span = { start: moment('start'), end: moment('end') };
  if (span.start >= span.end) throw new ValidationError(`${body}.end must be later than ${body}.start`);
  return span;
}
