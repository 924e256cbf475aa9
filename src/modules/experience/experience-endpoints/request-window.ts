import { ValidationError } from '../../../lib/errors/errors.js';
import { MAX_TIME } from '../../../platform/lists/list-query.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Retention of request counts. */
export const MAX_WINDOW_MS = 30 * DAY_MS;
/** Maximum number of steps: a day in minutes. */
export const MAX_STEPS = 1_440;
/** Maximum number of counts in a response, over all groups and steps. */
export const MAX_POINTS = 100_000;

/** A period with exclusive `start` and inclusive `end`, aligned to sums of `minutes`: one minute or one hour. */
export interface RequestWindow {
  start: Date;
  end: Date;
  minutes: 1 | 60;
}

/** A period divided into steps. */
export interface RequestSteps extends RequestWindow {
  resolution: number;
  steps: readonly Date[];
}

/** Returns the period of the last `duration` milliseconds, aligned to request sums. */
export function windowUntilNow(duration: number, now = Date.now()): RequestWindow {
  const unit = duration > DAY_MS ? HOUR_MS : MINUTE_MS;
  const end = Math.ceil(now / unit) * unit;
  return windowOf(end, Math.ceil(duration / unit) * unit, unit);
}

/** Returns the steps of a query. The period ends with a whole minute, or a whole hour if the steps are hours. */
export function stepsOf(
  query: { duration: number; end: number; resolution: number },
  now = Date.now(),
): RequestSteps {
  const { duration, resolution } = query;
  const unit = resolution % HOUR_MS === 0 ? HOUR_MS : MINUTE_MS;
  if (resolution % MINUTE_MS !== 0) throw new ValidationError('resolution must be a multiple of one minute');
  if (unit === MINUTE_MS && duration > DAY_MS)
    throw new ValidationError('resolution must be a multiple of one hour if duration is more than a day');
  const length = Math.ceil(duration / resolution);
  if (length > MAX_STEPS) throw new ValidationError(`resolution results in more than ${MAX_STEPS} steps`);
  const end = Math.ceil(Math.min(query.end || now, MAX_TIME - HOUR_MS) / unit) * unit;
  const window = windowOf(end, length * resolution, unit);
  const steps = Array.from({ length }, (_, i) => new Date(window.start.getTime() + i * resolution));
  return { ...window, resolution, steps };
}

const windowOf = (end: number, length: number, unit: number): RequestWindow => ({
  start: new Date(end - length),
  end: new Date(end),
  minutes: unit === HOUR_MS ? 60 : 1,
});

/** Returns the end (inclusive) of the minute that contains a time. */
export const minuteOf = (time: Date): Date => new Date(Math.ceil(time.getTime() / MINUTE_MS) * MINUTE_MS);
