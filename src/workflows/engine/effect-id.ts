import { createHash } from 'node:crypto';

/** Hexadecimal digits of an ID, as those of resources have. */
const LENGTH = 24;

/**
 * Returns the ID of an execution of a node: the same for each repetition of the run.
 * @param place way to the execution: forks, rounds of loops, calls of custom nodes and repetitions of a cycle
 */
export function effectIdOf(runId: string, place: string): string {
  return createHash('sha256')
    .update(JSON.stringify([runId, place]))
    .digest('hex')
    .slice(0, LENGTH);
}
