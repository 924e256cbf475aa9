import { ValidationError } from '../../../lib/errors/errors.js';

/** Time of a report, as received. */
export type ReportTime = string | number | { $date: string };

const DAY = 86_400_000;
/** Smaller numbers are seconds: as milliseconds they would be times before 1973. */
const MIN_MILLISECONDS = 1e11;
const NUMBER = /^-?\d{1,15}(\.\d{1,9})?$/;
const ISO = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/**
 * Returns the time of a report in milliseconds since 1970. Accepts ISO 8601 (UTC if it has no offset), seconds or
 * milliseconds since 1970, and negative numbers of milliseconds relative to now. Returns the current time if it is
 * missing or invalid. Throws 400 that names the field `at` for a day that its month does not have.
 */
export function timeOf(time: ReportTime | undefined, now: number, at: string): number {
  if (time === undefined) return now;
  if (typeof time === 'number') return fromNumber(time, now);
  const text = (typeof time === 'string' ? time : time.$date).trim();
  if (NUMBER.test(text)) return fromNumber(Number(text), now);
  const iso = ISO.exec(text);
  if (!iso) return now;
  const parsed = Date.parse(iso[1] === undefined && text.includes(':') ? `${text}Z` : text);
  if (Number.isNaN(parsed)) return now;
  const day = text.slice(0, 10);
  // Date.parse accepts February 30 and returns March 2.
  if (!new Date(day).toISOString().startsWith(day))
    throw new ValidationError(`${at} must be a date that exists`);
  return parsed;
}

function fromNumber(time: number, now: number): number {
  if (time < 0) return Math.round(now + time);
  return Math.round(time < MIN_MILLISECONDS ? time * 1000 : time);
}

/** Returns the time of a report as `timeOf`, or the current time if the sender's clock still runs from 1970. */
export function receivedTime(time: ReportTime | undefined, now: number, at: string): number {
  const sent = timeOf(time, now, at);
  return sent < DAY ? now : sent;
}

/** Returns whether a time is accepted: within the last 30 days, and at most one day ahead. */
export const isAccepted = (time: number, now: number): boolean => time >= now - 30 * DAY && time <= now + DAY;

/** Returns the received time, or the current time if it is missing, invalid or not accepted. */
export function acceptedTime(time: ReportTime | undefined, now: number, at: string): Date {
  const received = receivedTime(time, now, at);
  return new Date(isAccepted(received, now) ? received : now);
}
