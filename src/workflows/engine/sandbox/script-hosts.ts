import { availableParallelism } from 'node:os';
import { InlineScripts } from './inline-scripts.js';
import { DATE_MARK } from './payload-text.js';
import { quickJsModule } from './quickjs-module.js';
import { ScriptHost } from './script-host.js';
import { LIMITS, type ScriptAnswer, type ScriptCall, type ScriptEngine } from './script-engine.js';
import { type InstanceTemplate, ScriptInstance } from './script-instance.js';

/** With two, one application cannot occupy all. */
const MIN_HOSTS = 2;
/** What all instances know. */
export const SETTINGS = { dateMark: DATE_MARK, maxText: LIMITS.text, maxResult: LIMITS.payload };

/** How scripts are run. */
export interface ScriptHostsOptions {
  /** Number of threads. They start with the calls that need them. */
  readonly concurrency?: number;
  /** Time limit of a call with a small payload, in milliseconds. */
  readonly timeMs?: number;
  /** Calls of a version in threads before those that end soon run in the calling thread. */
  readonly callsBeforeInline?: number;
}

/**
 * Runs scripts with QuickJS in threads of this process, and those that have ended soon in the calling thread. Scripts that
 * keep on are interrupted, and their thread is ended if that fails.
 */
export class ScriptHosts implements ScriptEngine {
  readonly concurrency: number;
  private readonly all: readonly ScriptHost[];
  private readonly free: ScriptHost[];
  private readonly inline: InlineScripts;
  private template?: InstanceTemplate;

  constructor({
    concurrency = Math.max(MIN_HOSTS, availableParallelism()),
    timeMs = LIMITS.timeMs,
    callsBeforeInline = 8,
  }: ScriptHostsOptions = {}) {
    this.concurrency = concurrency;
    this.all = Array.from(
      { length: concurrency },
      () =>
        new ScriptHost({
          timeMs,
          data: () => ({ module: quickJsModule(), settings: SETTINGS, timeMs, template: this.template }),
          templateMade: (template) => (this.template ??= template),
        }),
    );
    this.free = [...this.all];
    this.inline = new InlineScripts(
      () => this.template && ScriptInstance.create(quickJsModule(), this.template),
      callsBeforeInline,
    );
  }

  /** Number of scripts that run in threads. */
  get running(): number {
    return this.all.length - this.free.length;
  }

  runNow(key: string, callOf: () => ScriptCall): ScriptAnswer | undefined {
    return this.inline.run(key, callOf);
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
