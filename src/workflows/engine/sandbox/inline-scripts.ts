import { LRUCache } from 'lru-cache';
import type { ScriptAnswer, ScriptCall } from './script-engine.js';
import type { CallLimit, ScriptInstance } from './script-instance.js';
import { MAX_INSTANCES } from './script-instances.js';

const MAX_VERSIONS = 2_000;
/** Time after which a version is judged anew. */
const MEMORY_MS = 10 * 60_000;
/** Maximum text of a payload, in characters. */
const MAX_TEXT = 16 * 1024;
/**
 * A check is due after 4,096 loops of the engine, which take 20 to 40 us: so a call ends after some 3 ms. Loops are counted
 * instead of time, because this thread may have to wait for a processor.
 */
const MAX_CHECKS = 100;
const LIMIT_MS = 3;

interface Version {
  calls: number;
  isSlow: boolean;
}

/**
 * Scripts in the calling thread. For short ones, the two changes of threads take half of the time of a call. Whatever does
 * not end soon is given up without an answer, and so are further calls of its version of a workflow. A script has no
 * effects, so it can run again elsewhere.
 */
export class InlineScripts {
  private readonly versions = new LRUCache<string, Version>({ max: MAX_VERSIONS, ttl: MEMORY_MS });
  private readonly instances = new LRUCache<string, ScriptInstance>({ max: MAX_INSTANCES });

  /**
   * @param create makes an instance, or returns nothing if none can be made yet. It takes a few milliseconds of this thread,
   *   so that scripts which run rarely are not worth it
   * @param callsBefore number of calls after which a version is worth an instance
   */
  constructor(
    private readonly create: () => Promise<ScriptInstance> | undefined,
    private readonly callsBefore: number,
  ) {}

  /** See `ScriptEngine.runNow`. */
  run(key: string, callOf: () => ScriptCall): ScriptAnswer | undefined {
    const version = this.versionOf(key);
    if (version.isSlow) return undefined;
    const instance = this.instances.get(key);
    if (!instance) {
      if (++version.calls > this.callsBefore) void this.prepare(key, version);
      return undefined;
    }
    const call = callOf();
    const answer = call.text.length <= MAX_TEXT ? instance.call(call, callLimit()) : undefined;
    version.isSlow = !answer || instance.isBroken || instance.isLarge;
    if (version.isSlow || !instance.isUsable) this.instances.delete(key);
    return version.isSlow ? undefined : answer;
  }

  private versionOf(key: string): Version {
    const known = this.versions.get(key);
    if (known) return known;
    const version = { calls: 0, isSlow: false };
    this.versions.set(key, version);
    return version;
  }

  private async prepare(key: string, version: Version): Promise<void> {
    // An instance that others displace is made again after as many calls.
    version.calls = 0;
    try {
      const instance = await this.create();
      if (instance) this.instances.set(key, instance);
    } catch {
      // This thread may have no memory left for an instance. Others report their failures.
      version.isSlow = true;
    }
  }
}

function callLimit(): CallLimit {
  let checks = 0;
  return { timeMs: LIMIT_MS, isSpent: () => ++checks > MAX_CHECKS };
}
