import { availableParallelism } from 'node:os';
import { IsolateProcess } from './isolate-process.js';
import { DATE_MARK } from './payload-text.js';
import { LIMITS, type ScriptAnswer, type ScriptCall, type ScriptEngine } from './script-engine.js';

/** With two, one application cannot occupy all. */
const MIN_PROCESSES = 2;

/**
 * Runs scripts with V8 in processes of their own, with the optional package `isolated-vm`. A process runs scripts of one
 * application only: hostile code can crash V8, and an error in V8 could open its heap.
 */
export class IsolateProcesses implements ScriptEngine {
  private readonly all: readonly IsolateProcess[];
  /** Least recently used first. */
  private free: IsolateProcess[];

  /**
   * Processes start with the calls that need them.
   *
   * @param timeMs time limit of a call with a small payload
   */
  constructor(
    readonly concurrency = Math.max(MIN_PROCESSES, availableParallelism()),
    timeMs = LIMITS.timeMs,
  ) {
    const settings = { dateMark: DATE_MARK, maxText: LIMITS.text, maxResult: LIMITS.payload };
    this.all = Array.from({ length: concurrency }, () => new IsolateProcess({ settings, timeMs }));
    this.free = [...this.all];
  }

  /** Number of scripts that run. */
  get running(): number {
    return this.all.length - this.free.length;
  }

  /** Runs a script. Throws a `HostFailure`. */
  async run(call: ScriptCall): Promise<ScriptAnswer> {
    const application = call.key.slice(0, call.key.indexOf('/'));
    const process = this.take(application);
    try {
      return await process.run(application, call);
    } finally {
      this.free.push(process);
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map((process) => process.end()));
  }

  /** Takes a free process: one of the application, else a new one, else that of another application, which ends. */
  private take(application: string): IsolateProcess {
    const chosen =
      this.free.findLast((process) => process.isOf(application)) ??
      this.free.find(({ isFresh }) => isFresh) ??
      this.free[0];
    if (!chosen) throw new Error(`More than ${this.concurrency} scripts at a time`);
    this.free = this.free.filter((process) => process !== chosen);
    return chosen;
  }
}
