import { ValidationError } from '../../../lib/errors/errors.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** One step per minute of a day. */
const MAX_STEPS = 1_440;

/** Counters of runs. */
export interface RunCounts {
  runCount: number;
  pathsCompleted: number;
  pathsFailed: number;
  wallTime: number;
}

/** Counters of an interval without runs. */
export const NO_RUNS: RunCounts = { runCount: 0, pathsCompleted: 0, pathsFailed: 0, wallTime: 0 };

/** Time range: `start` is exclusive, `end` inclusive. `deviceId` restricts it to runs of one device. */
export interface RunWindow {
  start: Date;
  end: Date;
  deviceId?: string;
}

/** Time range divided into steps. The last step can extend beyond the end. */
export interface RunSteps extends RunWindow {
  resolution: number;
  steps: readonly Date[];
}

/** Returns the time range of a query. */
export function windowOf(query: { duration: number; end: number }, now = Date.now()): RunWindow {
  const end = query.end || now;
  return { start: new Date(end - query.duration), end: new Date(end) };
}

/**
 * Returns the time range with the start of each step. Throws `400` if there are too many steps, or if the steps are
 * shorter than the aggregation allows. A range that ends now is extended to the end of the minute, so that steps
 * consist of whole minutes.
 */
export function stepsOf(query: { duration: number; end: number; resolution: number }): RunSteps {
  const { duration, resolution } = query;
  const { start, end } = windowOf(query, Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS);
  const length = Math.ceil(duration / resolution);
  if (length > MAX_STEPS) throw new ValidationError(`resolution results in more than ${MAX_STEPS} steps`);
  if (resolution < MINUTE_MS && duration > HOUR_MS)
    throw new ValidationError(`resolution must be at least ${MINUTE_MS} if duration is more than an hour`);
  const steps = Array.from({ length }, (_, i) => new Date(start.getTime() + i * resolution));
  return { start, end, resolution, steps };
}

/**
 * Returns the parts of a range in minutes that cross a step boundary. These parts cannot be read from the sums per
 * minute.
 */
export function partsOfMinutes({ start, end, resolution, steps }: RunSteps): RunWindow[] {
  if (resolution < MINUTE_MS) return [{ start, end }];
  const edges = [...steps, end].map(Number).filter((edge) => edge % MINUTE_MS !== 0);
  const minutes = [...new Set(edges.map((edge) => Math.ceil(edge / MINUTE_MS) * MINUTE_MS))];
  return minutes.map((until) => ({
    start: new Date(Math.max(until - MINUTE_MS, start.getTime())),
    end: new Date(Math.min(until, end.getTime())),
  }));
}
