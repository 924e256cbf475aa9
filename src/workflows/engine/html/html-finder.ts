import { TaskQueue } from '../../../lib/processes/task-queue.js';
import type { HtmlTasks } from '../../nodes/html-parser/html.thread.js';
import type { Actor, HtmlPort, HtmlQuery } from '../ports.js';
import { asFault, RunFault } from '../run-error.js';

const OPTIONS = {
  thread: import.meta.resolve('../../nodes/html-parser/html.thread.js'),
  processes: 1,
  /** Includes the start of the process. The limits of documents and selectors end a task long before. */
  timeoutMs: 20_000,
  memoryMb: 512,
  idleMs: 60_000,
  waitingPerOwner: 100,
  waiting: 1_000,
};

/**
 * Reads HTML of workflows in a separate process, because large documents take a second. Applications, or other owners of
 * runs, take turns.
 */
export class HtmlFinder implements HtmlPort {
  private readonly queue = new TaskQueue<HtmlTasks>(
    OPTIONS,
    ({ message }) => new RunFault('ValidationError', message),
  );

  constructor(private readonly ownerOf = ({ applicationId }: Actor): string => applicationId) {}

  async find(actor: Actor, query: HtmlQuery, signal: AbortSignal): Promise<unknown[]> {
    try {
      return await this.queue.run(
        'findElements',
        query,
        { ownerId: this.ownerOf(actor), signal },
        (excess) => new RunFault('ValidationError', `documentPath ${excess}`),
      );
    } catch (error) {
      throw asFault(error);
    }
  }

  stop(): Promise<void> {
    return this.queue.stop();
  }
}
