import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { TaskQueue } from '../../lib/processes/task-queue.js';
import { RunsIn } from '../../platform/processes/roles.js';
import type { Actor, HtmlPort, HtmlQuery } from '../engine/ports.js';
import { asFault, RunFault } from '../engine/run-error.js';
import type { HtmlTasks } from '../nodes/html-parser/html.thread.js';

const OPTIONS = {
  thread: import.meta.resolve('../nodes/html-parser/html.thread.js'),
  processes: 1,
  /** Includes the start of the process. The limits of documents and selectors end a task long before. */
  timeoutMs: 20_000,
  memoryMb: 512,
  idleMs: 60_000,
  waitingPerOwner: 100,
  waiting: 1_000,
};

/** Reads HTML of workflows in a separate process, because large documents take a second. Applications take turns. */
@Injectable()
@RunsIn('engine')
export class FlowHtml implements HtmlPort, OnApplicationShutdown {
  private readonly queue = new TaskQueue<HtmlTasks>(
    OPTIONS,
    ({ message }) => new RunFault('ValidationError', message),
  );

  async find({ applicationId }: Actor, query: HtmlQuery, signal: AbortSignal): Promise<unknown[]> {
    try {
      return await this.queue.run(
        'findElements',
        query,
        { ownerId: applicationId, signal },
        (excess) => new RunFault('ValidationError', `documentPath ${excess}`),
      );
    } catch (error) {
      throw asFault(error);
    }
  }

  onApplicationShutdown(): Promise<void> {
    return this.queue.stop();
  }
}
