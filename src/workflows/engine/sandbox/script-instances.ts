import { LRUCache } from 'lru-cache';
import type { WasmModule } from './quickjs-module.js';
import { timeLimit, type ScriptAnswer, type ScriptCall } from './script-engine.js';
import { type CallLimit, type InstanceTemplate, ScriptInstance } from './script-instance.js';

/** Maximum number of versions of workflows that have instances in a thread. */
export const MAX_INSTANCES = 64;

/** Runs scripts in this thread, up to a limit of time. */
export class ScriptInstances {
  private readonly instances = new LRUCache<string, ScriptInstance>({ max: MAX_INSTANCES });

  /** @param timeMs time limit of a call with a small payload */
  constructor(
    private readonly module: WasmModule,
    private readonly template: InstanceTemplate,
    private readonly timeMs: number,
  ) {}

  async run(call: ScriptCall): Promise<ScriptAnswer> {
    let instance = this.instances.get(call.key);
    if (!instance) {
      instance = await ScriptInstance.create(this.module, this.template);
      this.instances.set(call.key, instance);
    }
    const answer = instance.call(call, callLimit(timeLimit(this.timeMs, call)));
    if (!instance.isUsable) this.instances.delete(call.key);
    return answer;
  }
}

function callLimit(timeMs: number): CallLimit {
  const deadline = performance.now() + timeMs;
  return { timeMs, isSpent: () => performance.now() > deadline };
}
