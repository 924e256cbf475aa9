import { Unavailable, ValidationError } from '../errors/errors.js';
import type { NamedTask, Refusal, TaskAnswer, Tasks } from './answer-tasks.js';
import { WorkFailed, type WorkFault } from './work-process.js';
import { WorkQueue, type QueueOptions, type WorkOrder } from './work-queue.js';

const EXCESS: Partial<Record<WorkFault, string>> = {
  time: 'takes too long to process',
  memory: 'takes too much memory to process',
};

/** Runs the functions of a thread (see `answerTasks`) in separate processes, and converts failures to errors for callers. */
export class TaskQueue<All extends Tasks> {
  private readonly queue: WorkQueue<NamedTask, TaskAnswer>;

  constructor(
    options: QueueOptions,
    private readonly errorOf: (refusal: Refusal) => Error = ({ message }) => new ValidationError(message),
  ) {
    this.queue = new WorkQueue(options);
  }

  /**
   * Runs a task. `excessError` makes the error for a task that exceeds its limits from the end of a sentence. Throws
   * `TooManyRequests` or `Unavailable` if too many tasks are waiting.
   */
  async run<Name extends keyof All & string>(
    name: Name,
    input: Parameters<All[Name]>[0],
    order: WorkOrder,
    excessError: (excess: string) => Error,
  ): Promise<Awaited<ReturnType<All[Name]>>> {
    const answer = await this.queue.run({ name, input }, order).catch((error: unknown) => {
      if (!(error instanceof WorkFailed)) throw error;
      const excess = EXCESS[error.fault];
      if (excess) throw excessError(excess);
      throw error.fault === 'stopped' ? new Unavailable(error.message) : error;
    });
    if ('refused' in answer) throw this.errorOf(answer.refused);
    return answer.result as Awaited<ReturnType<All[Name]>>;
  }

  stop(): Promise<void> {
    return this.queue.stop();
  }
}
