import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { WorkQueue } from '../../lib/processes/work-queue.js';
import type { CompileAnswer, CompileTask } from './compile.thread.js';

/** How long a compiler stays that has nothing to do: loading it takes as long as a module. */
const IDLE_MS = 60_000;

/** The compiler, outside of this process: what hangs or grows there ends there. In workers alone. */
@Injectable()
export class ModuleCompiler implements OnModuleDestroy {
  private readonly queue: WorkQueue<CompileTask, CompileAnswer>;

  constructor(config: Config) {
    this.queue = new WorkQueue({
      thread: import.meta.resolve('./compile.thread.js'),
      timeoutMs: config.COMPILE_TIMEOUT * 1_000,
      memoryMb: config.COMPILE_MEMORY,
      idleMs: IDLE_MS,
      processes: config.COMPILE_PROCESSES,
      waiting: config.COMPILE_PROCESSES,
    });
  }

  /** The processes that run. */
  get pids(): number[] {
    return this.queue.pids;
  }

  /** Throws `WorkFailed` where no answer came, or what `signal` was aborted with. */
  compile(task: CompileTask, signal?: AbortSignal): Promise<CompileAnswer> {
    return this.queue.run(task, signal);
  }

  onModuleDestroy(): Promise<void> {
    return this.queue.stop();
  }
}
