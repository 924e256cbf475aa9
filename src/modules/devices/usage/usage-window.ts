import { DAYS_KEPT } from '../../../platform/counts/daily-counts.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { momentOf } from '../../../platform/lists/moments.js';
import { HOURS_KEPT } from './usage.columns.js';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** A month, a day, or a time by UTC, as ISO 8601 writes them. */
const MONTH = /^\d{4}-\d{2}(-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z)?)?$/;

/** A time from its beginning up to its end, which is not in it. */
export interface Span {
  start: Date;
  end: Date;
}

/** A part of a time, made of whole hours (1) or days (24). */
export interface Part extends Span {
  hours: 1 | 24;
}

/** What a query asks for; absent, the current billing period up to now. */
export type AskedSpan = Partial<Span>;

/** When the billing period of a moment began: it is the month, by UTC. */
export function periodStart(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));
}

/** When it ends. */
export function periodEnd(start: Date): Date {
  return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1));
}

/** The month that a caller names: `now`, by itself as `2026-11`, or by a time in it. */
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
 * The steps of `length` milliseconds that the time touches. Nothing is known of what is to come, so it ends with the current
 * step at the latest; 400 where it begins before what is kept, or does not begin before it ends.
 */
export function stepsOf(asked: AskedSpan, length: number, now = new Date()): Span {
  const { start, end } = boundsOf(asked, length < DAY_MS ? HOURS_KEPT : DAYS_KEPT, now);
  return { start: down(start, length), end: up(end, length) };
}

/** The beginnings of the steps of a time. */
export function beginningsOf({ start, end }: Span, length: number): Date[] {
  const steps = Math.round((end.getTime() - start.getTime()) / length);
  return Array.from({ length: steps }, (_, i) => new Date(start.getTime() + i * length));
}

/**
 * The whole hours that the time touches, as few parts as there can be: days, and the hours before and after them. Of hours
 * that are kept no more, the whole day is meant.
 */
export function partsOf(asked: AskedSpan, now = new Date()): { span: Span; parts: Part[] } {
  const bounds = boundsOf(asked, DAYS_KEPT, now);
  const kept = now.getTime() - HOURS_KEPT * DAY_MS;
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

/** When the time begins and ends in milliseconds; this very one is the last. */
function boundsOf(asked: AskedSpan, days: number, now: Date): { start: number; end: number } {
  const start = (asked.start ?? periodStart(now)).getTime();
  const end = Math.min(asked.end?.getTime() ?? Infinity, now.getTime() + 1);
  if (start >= end) throw new ValidationError('start must be before end, and not in the future');
  if (start < now.getTime() - days * DAY_MS)
    throw new ValidationError(`start must be in the last ${days} days`);
  return { start, end };
}

const down = (time: number, length: number): Date => new Date(Math.floor(time / length) * length);
const up = (time: number, length: number): Date => new Date(Math.ceil(time / length) * length);
