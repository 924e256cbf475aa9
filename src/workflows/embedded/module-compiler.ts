import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { WorkQueue, type WorkOrder } from '../../lib/processes/work-queue.js';
import { RunsIn } from '../../platform/processes/roles.js';
import type { CompileAnswer, CompileTask } from './compile.thread.js';

/** Time after which an idle compiler process exits. Loading the compiler takes as long as compiling a module. */
const IDLE_MS = 60_000;

/** Runs the compiler in separate processes, which contain hangs and memory growth. */
@Injectable()
@RunsIn('worker')
export class ModuleCompiler implements OnModuleDestroy {
  private readonly queue: WorkQueue<CompileTask, CompileAnswer>;

  constructor(config: Config) {
    this.queue = new WorkQueue({
      thread: import.meta.resolve('./compile.thread.js'),
      timeoutMs: config.COMPILE_TIMEOUT * 1_000,
      memoryMb: config.COMPILE_MEMORY,
      idleMs: IDLE_MS,
      processes: config.COMPILE_PROCESSES,
      waitingPerOwner: config.COMPILE_PROCESSES,
    });
  }

  /** IDs of the running processes. */
  get pids(): number[] {
    return this.queue.pids;
  }

  /** Compiles a bundle. Throws as `WorkQueue` does if there is no result. */
  compile(task: CompileTask, order: WorkOrder): Promise<CompileAnswer> {
    return this.queue.run(task, order);
  }

  onModuleDestroy(): Promise<void> {
    return this.queue.stop();
  }
}
