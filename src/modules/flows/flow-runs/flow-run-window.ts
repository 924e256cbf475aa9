import { ValidationError } from '../../../lib/errors/errors.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A day of minutes. */
const MOST_STEPS = 1_440;

/** What is counted of runs. */
export interface RunCounts {
  runCount: number;
  pathsCompleted: number;
  pathsFailed: number;
  wallTime: number;
}

/** What is counted of a time without runs. */
export const NO_RUNS: RunCounts = { runCount: 0, pathsCompleted: 0, pathsFailed: 0, wallTime: 0 };

/** A time: after `start`, up to and with `end`; and a device, where only runs about that one are meant. */
export interface RunWindow {
  start: Date;
  end: Date;
  deviceId?: string;
}

/** A time in steps; the last one may reach beyond the end. */
export interface RunSteps extends RunWindow {
  resolution: number;
  steps: readonly Date[];
}

/** The time that a query asks for. */
export function windowOf(query: { duration: number; end: number }, now = Date.now()): RunWindow {
  const end = query.end || now;
  return { start: new Date(end - query.duration), end: new Date(end) };
}

/**
 * The same, with the times at which its steps begin; 400 where they are too many, or too short for what runs are added up
 * by. What ends now ends with the minute, so that its steps are made of whole minutes.
 */
export function stepsOf(query: { duration: number; end: number; resolution: number }): RunSteps {
  const { duration, resolution } = query;
  const { start, end } = windowOf(query, Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS);
  const length = Math.ceil(duration / resolution);
  if (length > MOST_STEPS) throw new ValidationError(`resolution makes more than ${MOST_STEPS} steps`);
  if (resolution < MINUTE_MS && duration > HOUR_MS)
    throw new ValidationError(`resolution must be at least ${MINUTE_MS} where duration is more than an hour`);
  const steps = Array.from({ length }, (_, i) => new Date(start.getTime() + i * resolution));
  return { start, end, resolution, steps };
}

/** The parts of a time that lie in minutes of which only a part is in a step: what is added up by the minute leaves them out. */
export function partsOfMinutes({ start, end, resolution, steps }: RunSteps): RunWindow[] {
  if (resolution < MINUTE_MS) return [{ start, end }];
  const edges = [...steps, end].map(Number).filter((edge) => edge % MINUTE_MS !== 0);
  const minutes = [...new Set(edges.map((edge) => Math.ceil(edge / MINUTE_MS) * MINUTE_MS))];
  return minutes.map((until) => ({
    start: new Date(Math.max(until - MINUTE_MS, start.getTime())),
    end: new Date(Math.min(until, end.getTime())),
  }));
}
