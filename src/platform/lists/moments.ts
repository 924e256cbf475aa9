import { MAX_TIME } from './list-query.js';
import { ValidationError } from '../../lib/errors/errors.js';

/**
 * Converts a number to a time: milliseconds since 1970 or, if zero or negative, relative to now. Times before 1970
 * become 1970.
 */
export function momentOf(name: string, value: number, now: number): Date {
  const time = Math.floor(value > 0 ? value : now + value);
  if (time > MAX_TIME) throw new ValidationError(`${name} must be at most ${MAX_TIME}`);
  return new Date(Math.max(time, 0));
}

/** Works like `momentOf`, for an integer number of milliseconds in a query string. */
export function parseMoment(name: string, value: unknown, fallback?: number): Date | undefined {
  if (value === undefined || value === '')
    return fallback === undefined ? undefined : momentOf(name, fallback, Date.now());
  if (typeof value !== 'string' || !/^-?\d{1,15}$/.test(value))
    throw new ValidationError(`${name} must be an integer, milliseconds since 1970 or, below 1, from now`);
  return momentOf(name, Number(value), Date.now());
}
