import { LATEST_TIME } from './list-query.js';
import { ValidationError } from '../../lib/errors/errors.js';

/**
 * The time that a caller means by a number: milliseconds since 1970, or from now where it is zero or negative. Nothing is older
 * than 1970, so what would be is that.
 */
export function momentOf(name: string, value: number, now: number): Date {
  const time = Math.floor(value > 0 ? value : now + value);
  if (time > LATEST_TIME) throw new ValidationError(`${name} must be at most ${LATEST_TIME}`);
  return new Date(Math.max(time, 0));
}

/** The same from a query string: a whole number of milliseconds. */
export function parseMoment(name: string, value: unknown, fallback?: number): Date | undefined {
  if (value === undefined || value === '')
    return fallback === undefined ? undefined : momentOf(name, fallback, Date.now());
  if (typeof value !== 'string' || !/^-?\d{1,15}$/.test(value))
    throw new ValidationError(`${name} must be an integer, milliseconds since 1970 or, below 1, from now`);
  return momentOf(name, Number(value), Date.now());
}
