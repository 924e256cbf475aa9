import { availableParallelism } from 'node:os';
import { DATE_MARK } from './payload-text.js';
import { quickJsModule } from './quickjs-module.js';
import type { HostData } from './script-host.thread.js';
import { ScriptHost } from './script-host.js';
import { LIMITS, type ScriptAnswer, type ScriptCall, type ScriptEngine } from './script-engine.js';

/** With two, one application cannot occupy all. */
const MIN_HOSTS = 2;

/**
 * Runs scripts with QuickJS in threads of this process. Never in the calling thread: several built-in functions, such as
 * `Array.prototype.reverse` for an object with a large `length`, cannot be interrupted. Only the end of their thread
 * stops them.
 */
export class ScriptHosts implements ScriptEngine {
  private readonly all: readonly ScriptHost[];
  private readonly free: ScriptHost[];

  /**
   * Threads start with the calls that need them.
   *
   * @param timeMs time limit of a call with a small payload
   */
  constructor(
    readonly concurrency = Math.max(MIN_HOSTS, availableParallelism()),
    timeMs = LIMITS.timeMs,
  ) {
    const settings = { dateMark: DATE_MARK, maxText: LIMITS.text, maxResult: LIMITS.payload };
    const data: HostData = { module: quickJsModule(), settings, timeMs };
    this.all = Array.from({ length: concurrency }, () => new ScriptHost(data));
    this.free = [...this.all];
  }

  /** Number of scripts that run. */
  get running(): number {
    return this.all.length - this.free.length;
  }

  /** Runs a script. Throws a `HostFailure`. */
  async run(call: ScriptCall): Promise<ScriptAnswer> {
    // The most recently used host is warm.
    const host = this.free.pop();
    if (!host) throw new Error(`More than ${this.concurrency} scripts at a time`);
    try {
      return await host.run(call);
    } finally {
      this.free.push(host);
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map((host) => host.end()));
  }
}
