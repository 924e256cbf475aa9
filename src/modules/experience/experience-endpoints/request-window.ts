import { ValidationError } from '../../../lib/errors/errors.js';
import { LATEST_TIME } from '../../../platform/lists/list-query.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** For as long requests are remembered. */
export const LONGEST_MS = 30 * DAY_MS;
/** A day of minutes. */
export const MOST_STEPS = 1_440;
/** Steps of all that requests are counted by, in one answer. */
export const MOST_POINTS = 100_000;

/** A time after `start`, up to and with `end`, whole in sums of `minutes`: a minute or an hour. */
export interface RequestWindow {
  start: Date;
  end: Date;
  minutes: 1 | 60;
}

/** The same in steps. */
export interface RequestSteps extends RequestWindow {
  resolution: number;
  steps: readonly Date[];
}

/** The last `duration` milliseconds, rounded to what requests are added up by. */
export function windowUntilNow(duration: number, now = Date.now()): RequestWindow {
  const unit = duration > DAY_MS ? HOUR_MS : MINUTE_MS;
  const end = Math.ceil(now / unit) * unit;
  return windowOf(end, Math.ceil(duration / unit) * unit, unit);
}

/** The steps that a query asks for; it ends with a whole minute, or a whole hour where its steps are hours. */
export function stepsOf(
  query: { duration: number; end: number; resolution: number },
  now = Date.now(),
): RequestSteps {
  const { duration, resolution } = query;
  const unit = resolution % HOUR_MS === 0 ? HOUR_MS : MINUTE_MS;
  if (resolution % MINUTE_MS !== 0) throw new ValidationError('resolution must be whole minutes');
  if (unit === MINUTE_MS && duration > DAY_MS)
    throw new ValidationError('resolution must be whole hours where duration is more than a day');
  const length = Math.ceil(duration / resolution);
  if (length > MOST_STEPS) throw new ValidationError(`resolution makes more than ${MOST_STEPS} steps`);
  const end = Math.ceil(Math.min(query.end || now, LATEST_TIME - HOUR_MS) / unit) * unit;
  const window = windowOf(end, length * resolution, unit);
  const steps = Array.from({ length }, (_, i) => new Date(window.start.getTime() + i * resolution));
  return { ...window, resolution, steps };
}

const windowOf = (end: number, length: number, unit: number): RequestWindow => ({
  start: new Date(end - length),
  end: new Date(end),
  minutes: unit === HOUR_MS ? 60 : 1,
});

/** The end of the minute in which something came; what came at that moment is in it. */
export const minuteOf = (time: Date): Date => new Date(Math.ceil(time.getTime() / MINUTE_MS) * MINUTE_MS);
