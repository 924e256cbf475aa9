import { END, Run } from './run';

/* Steps of an empty bundle. Compilation replaces this file with one of the same shape. */

/** Executes a step. */
export function step(index: i32, run: Run): i32 {
  return END;
}
