import { parentPort } from 'node:worker_threads';
import { ValidationError } from '../../lib/errors/errors.js';
import { GitFault, type GitFaultField } from '../../lib/git/git-fault.js';
import { BUNDLE_TASKS, type BundleTasks } from './bundle-tasks.js';

/** A task for a process, with the input of its function. */
export interface BundleWorkTask {
  name: keyof BundleTasks;
  input: unknown;
}

/** Result of a task, or the reason why its input is invalid. */
export type BundleWorkAnswer =
  { result: unknown } | { refused: string } | { fault: { place: GitFaultField; message: string } };

async function answer({ name, input }: BundleWorkTask): Promise<BundleWorkAnswer> {
  try {
    return { result: await BUNDLE_TASKS[name](input as never) };
  } catch (error) {
    if (error instanceof ValidationError) return { refused: error.message };
    if (error instanceof GitFault) return { fault: { place: error.place, message: error.message } };
    throw error;
  }
}

// An unhandled rejection ends the thread, which reports the failure to the caller.
parentPort!.on('message', (task: BundleWorkTask) => {
  void answer(task).then((message) => parentPort!.postMessage(message));
});
