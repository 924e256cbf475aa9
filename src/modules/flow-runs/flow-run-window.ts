import { ValidationError } from '../../platform/errors/errors.js';

const MOST_STEPS = 1_000;

/** What is counted of a time without runs. */
export const NO_RUNS = { runCount: 0, pathsCompleted: 0, pathsFailed: 0, wallTime: 0 } as const;

/** The time that a query asks for: after `start`, up to and with `end`. */
export function windowOf(query: { duration: number; end: number }): { start: Date; end: Date } {
  const end = query.end === 0 ? new Date() : new Date(query.end);
  return { start: new Date(end.getTime() - query.duration), end };
}

/** The same, with the times at which its steps begin; 400 where they are too many. */
export function stepsOf(query: { duration: number; end: number; resolution: number }): {
  start: Date;
  end: Date;
  steps: Date[];
} {
  const { start, end } = windowOf(query);
  const length = Math.ceil(query.duration / query.resolution);
  if (length > MOST_STEPS) throw new ValidationError(`resolution makes more than ${MOST_STEPS} steps`);
  const steps = Array.from({ length }, (_, i) => new Date(start.getTime() + i * query.resolution));
  return { start, end, steps };
}
