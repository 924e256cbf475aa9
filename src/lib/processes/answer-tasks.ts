import { parentPort } from 'node:worker_threads';
import { ValidationError } from '../errors/errors.js';

/** Functions that a thread runs, by name. Inputs and results can be cloned. */
export type Tasks = Record<string, (input: never) => unknown>;

/** A task for a thread, with the input of its function. */
export interface NamedTask {
  name: string;
  input: unknown;
}

/** Why the input of a task is invalid. */
export interface Refusal {
  message: string;
  /** Part of the input, if the message does not name it. */
  place?: string;
}

/** Result of a task, or the reason why its input is invalid. */
export type TaskAnswer = { result: unknown } | { refused: Refusal };

const validationRefusal = (error: unknown): Refusal | undefined =>
  error instanceof ValidationError ? { message: error.message } : undefined;

/**
 * Answers the tasks that a `TaskQueue` sends to this thread. Errors for which `refusalOf` returns nothing end the thread,
 * which reports the failure to the caller.
 */
export function answerTasks(tasks: Tasks, refusalOf = validationRefusal): void {
  const answer = async ({ name, input }: NamedTask): Promise<TaskAnswer> => {
    try {
      return { result: await tasks[name]!(input as never) };
    } catch (error) {
      const refused = refusalOf(error);
      if (!refused) throw error;
      return { refused };
    }
  };
  parentPort!.on('message', (task: NamedTask) => {
    void answer(task).then((message) => parentPort!.postMessage(message));
  });
}
