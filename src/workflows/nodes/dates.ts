import moment from 'moment-timezone';
import { invalidSetting } from '../engine/run-error.js';

export type Moment = moment.Moment;

/** Maximum length of a text that is read as a date. */
const MAX_LENGTH = 200;
/** Number of milliseconds since 1970 as text. Shorter digits are a year. */
const MILLISECONDS = /^-?\d{9,16}$/;

/**
 * Returns a value as a date in a time zone, or `undefined` if it is no date: a date, milliseconds, an ISO 8601 text, or
 * a text in `format`.
 */
export function dateOf(value: unknown, zone: string, format = ''): Moment | undefined {
  const date = parsed(value, zone, format);
  return date?.isValid() ? date : undefined;
}

function parsed(value: unknown, zone: string, format: string): Moment | undefined {
  if (value instanceof Date) return moment.tz(value, zone);
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  if (String(value).length > MAX_LENGTH) return undefined;
  if (format !== '') return moment.tz(String(value), format, zone);
  const isNumber = typeof value === 'number' || MILLISECONDS.test(value);
  return isNumber ? moment.tz(Number(value), zone) : moment.tz(value, moment.ISO_8601, zone);
}

/** Returns the name of a time zone; UTC for an empty text. Throws a `RunFault` that names `at` for an unknown one. */
export function zoneOf(name: string, at: string): string {
  if (name.trim() === '') return 'UTC';
  if (moment.tz.zone(name.trim()) === null) throw invalidSetting(at, 'must be the name of a time zone');
  return name.trim();
}
