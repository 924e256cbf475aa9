import { MAX_ROUNDS } from '../../engine/limits.js';
import type { Cap, NodeRun, RunPath } from '../../engine/node-run.js';
import type { Payload } from '../../engine/payload.js';
import { RunFault } from '../../engine/run-error.js';
import type { Compiled } from '../../language/compile.js';
import * as setting from '../settings.js';

/** Rounds that a parallel loop runs at once. */
const PARALLEL_ROUNDS = 5;

/** Path that the current item is written to, and that is the result of caps without another one. */
const itemPath: setting.Setting<{ write: setting.Target; read: Compiled<unknown> }> = (value, at) => ({
  write: setting.required(setting.target)(value, at),
  read: setting.path(value, at),
});

const settings = setting.group({
  loopSourcePath: setting.required(setting.path),
  currentItemPath: itemPath,
  parallel: setting.flag(),
  mapResultPath: setting.optional(setting.target),
  mapValuePath: setting.optional(setting.path),
});
type Settings = setting.Read<typeof settings>;

export const run: NodeRun<Settings> = {
  settings,
  prepare: (plan, { outputIds }) => {
    const hasBody = (outputIds?.[1] ?? []).length > 0;
    return (path) =>
      new Rounds(path, plan, itemsOf(hasBody ? plan.loopSourcePath(path.payload.data) : undefined)).run();
  },
};

interface Items {
  readonly count: number;
  /** Absent if the loop only counts. */
  readonly values?: readonly unknown[];
  readonly keys?: readonly string[];
}

/** Returns the items of a source. Throws a `RunFault` if there are too many. */
function itemsOf(source: unknown): Items {
  const items = allItemsOf(source);
  if (items.count > MAX_ROUNDS)
    throw new RunFault('RangeError', `A loop must not have more than ${MAX_ROUNDS} iterations`);
  return items;
}

function allItemsOf(source: unknown): Items {
  if (typeof source === 'number') return { count: Math.abs(Math.ceil(source)) || 0 };
  // Splitting a longer text would only cost memory.
  if (typeof source === 'string' && source.length > 2 * MAX_ROUNDS) return { count: source.length };
  if (typeof source !== 'string' && (typeof source !== 'object' || source === null || source instanceof Date))
    return { count: 0 };
  if (typeof source === 'string' || Array.isArray(source)) {
    const values = typeof source === 'string' ? [...source] : (source as unknown[]);
    return { count: values.length, values };
  }
  const keys = Object.keys(source);
  return { count: keys.length, keys, values: Object.values(source) };
}

/** What a round finds at `currentItemPath`. */
interface Item {
  readonly value: unknown;
  readonly index: number;
  key?: string;
  first?: true;
  last?: true;
}

interface WaitingRound {
  readonly index: number;
  readonly cap: Promise<Cap | undefined>;
}

/** One execution of a loop. */
class Rounds {
  private next = 0;
  private readonly results: unknown[] = [];
  private failure: unknown;
  private hasFailed = false;
  /** Payload of serial rounds. A loop in a round of another one has a copy of its own. */
  private readonly payload: Payload;

  constructor(
    private readonly path: RunPath,
    private readonly plan: Settings,
    private readonly items: Items,
  ) {
    const { payload } = path;
    this.payload = payload.isAttempt && !plan.parallel ? payload.fork() : payload;
    // Each value is in two places during its round.
    this.payload.lend(items.values);
  }

  run(): number | Promise<number> {
    const first = this.advance();
    if (!first) return this.leave();
    const waiting = [this.advanceLater(first)];
    for (let i = 1; this.plan.parallel && i < PARALLEL_ROUNDS; i++) {
      const round = this.advance();
      if (round) waiting.push(this.advanceLater(round));
    }
    return Promise.all(waiting).then(() => this.leave());
  }

  /** Runs rounds until none is left, or until one has to wait, and returns that. */
  private advance(): WaitingRound | undefined {
    while (this.next < this.items.count) {
      const index = this.next++;
      const start = this.start();
      this.plan.currentItemPath.write(start, this.itemAt(index), true);
      try {
        const cap = this.path.control.round(start, index);
        if (cap instanceof Promise) return { index, cap };
        this.end(index, cap);
      } catch (error) {
        this.fail(error);
      }
    }
    return undefined;
  }

  /** Returns the payload that a round begins with. The rounds of a serial loop change one payload in turn. */
  private start(): Payload {
    if (this.plan.parallel) return this.path.payload.fork();
    this.payload.begin();
    return this.payload;
  }

  private async advanceLater(round: WaitingRound): Promise<void> {
    for (let waiting: WaitingRound | undefined = round; waiting; waiting = this.advance()) {
      try {
        this.end(waiting.index, await waiting.cap);
      } catch (error) {
        this.fail(error);
      }
    }
  }

  private itemAt(index: number): Item {
    const { count, values, keys } = this.items;
    const item: Item = { value: values ? values[index] : index, index };
    if (keys) item.key = keys[index]!;
    if (index === 0) item.first = true;
    if (index === count - 1) item.last = true;
    return item;
  }

  private end(index: number, cap: Cap | undefined): void {
    const { parallel, mapResultPath, mapValuePath, currentItemPath } = this.plan;
    if (mapResultPath) {
      const result = cap?.result ?? mapValuePath ?? currentItemPath.read;
      this.results[index] = cap && result(cap.payload.data);
      // The next round changes the payload in place.
      cap?.payload.lend(this.results[index]);
    }
    if (parallel) return;
    if (cap?.payload === this.payload) this.payload.commit();
    else this.payload.rollback();
    if (!cap) return;
    if (cap.payload !== this.payload) this.payload.replace(cap.payload.data);
    if (cap.branch === 1) this.next = this.items.count;
  }

  /** All rounds of a parallel loop run before it fails. */
  private fail(error: unknown): void {
    if (!this.plan.parallel) throw error;
    if (!this.hasFailed) this.failure = error;
    this.hasFailed = true;
  }

  private leave(): number {
    if (this.hasFailed) throw this.failure;
    const { payload } = this.path;
    if (this.payload !== payload) payload.replace(this.payload.data);
    this.plan.mapResultPath?.(payload, this.results);
    return 0;
  }
}
