import { RETENTION_DAYS } from '../../../platform/counts/daily-counts.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { momentOf } from '../../../platform/lists/moments.js';
import { HOUR_RETENTION_DAYS } from './usage.columns.js';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** A month, a day, or a time in UTC, in ISO 8601. */
const MONTH = /^\d{4}-\d{2}(-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z)?)?$/;

/** Time range from `start` (inclusive) to `end` (exclusive). */
export interface Span {
  start: Date;
  end: Date;
}

/** Part of a time range that consists of whole hours (1) or days (24). */
export interface Part extends Span {
  hours: 1 | 24;
}

/** Requested time range; defaults to the current billing period up to now. */
export type RequestedSpan = Partial<Span>;

/** Returns the start of the billing period of a time, which is its month in UTC. */
export function periodStart(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));
}

/** Returns the end of the billing period. */
export function periodEnd(start: Date): Date {
  return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1));
}

/** Returns the month requested as `now`, as a month such as `2026-11`, or as a time in it. */
export function monthOf(asked: string, now = new Date()): Span {
  const time =
    asked === 'now'
      ? now
      : /^-?\d{5,15}$/.test(asked)
        ? momentOf('month', Number(asked), now.getTime())
        : new Date(MONTH.test(asked) ? asked : NaN);
  if (Number.isNaN(time.getTime()))
    throw new ValidationError('month must be now, a month such as 2026-11, or a time in it');
  if (time > now) throw new ValidationError('month must not be in the future');
  const start = periodStart(time);
  return { start, end: periodEnd(start) };
}

/**
 * Returns the steps of `length` milliseconds that overlap the time range, up to the current step at most. Throws a 400
 * error if the range is empty or starts before the stored data.
 */
export function stepsOf(asked: RequestedSpan, length: number, now = new Date()): Span {
  const { start, end } = boundsOf(asked, length < DAY_MS ? HOUR_RETENTION_DAYS : RETENTION_DAYS, now);
  return { start: down(start, length), end: up(end, length) };
}

/** Returns the start times of the steps of a time range. */
export function stepStarts({ start, end }: Span, length: number): Date[] {
  const steps = Math.round((end.getTime() - start.getTime()) / length);
  return Array.from({ length: steps }, (_, i) => new Date(start.getTime() + i * length));
}

/**
 * Returns the whole hours that overlap the time range in as few parts as possible: days, and the hours before and after
 * them. If hourly sums are no longer stored, the whole day is used.
 */
export function partsOf(asked: RequestedSpan, now = new Date()): { span: Span; parts: Part[] } {
  const bounds = boundsOf(asked, RETENTION_DAYS, now);
  const kept = now.getTime() - HOUR_RETENTION_DAYS * DAY_MS;
  const start = down(bounds.start, bounds.start < kept ? DAY_MS : HOUR_MS);
  const end = up(bounds.end, bounds.end < kept ? DAY_MS : HOUR_MS);
  const firstDay = up(start.getTime(), DAY_MS);
  const lastDay = down(end.getTime(), DAY_MS);
  const parts: Part[] =
    firstDay > lastDay
      ? [{ hours: 1, start, end }]
      : [
          { hours: 1, start, end: firstDay },
          { hours: 24, start: firstDay, end: lastDay },
          { hours: 1, start: lastDay, end },
        ];
  return { span: { start, end }, parts: parts.filter((part) => part.start < part.end) };
}

/** Returns the start and end of the time range in milliseconds; the current time is the latest end. */
function boundsOf(asked: RequestedSpan, days: number, now: Date): { start: number; end: number } {
  const start = (asked.start ?? periodStart(now)).getTime();
  const end = Math.min(asked.end?.getTime() ?? Infinity, now.getTime() + 1);
  if (start >= end) throw new ValidationError('start must be before end, and not in the future');
  if (start < now.getTime() - days * DAY_MS)
    throw new ValidationError(`start must be in the last ${days} days`);
  return { start, end };
}

const down = (time: number, length: number): Date => new Date(Math.floor(time / length) * length);
const up = (time: number, length: number): Date => new Date(Math.ceil(time / length) * length);
