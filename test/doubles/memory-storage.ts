import type { Actor, StoragePort } from '../../src/workflows/engine/ports.js';
import { RunFault } from '../../src/workflows/engine/run-error.js';

/** Storage of workflows in memory. Values are copies, as those of a database are. */
export class MemoryStorage implements StoragePort {
  readonly states = new Map<string, unknown>();

  constructor(private readonly values = new Map<string, unknown>()) {}

  /** All values by key. */
  get contents(): Record<string, unknown> {
    return Object.fromEntries(this.values);
  }

  async get(_actor: Actor, key: string): Promise<unknown> {
    return copied(this.values.get(key));
  }

  async all(): Promise<Record<string, unknown>> {
    return copied(this.contents) as Record<string, unknown>;
  }

  async set(_actor: Actor, key: string, value: unknown): Promise<unknown> {
    const previous = this.values.get(key);
    if (value === undefined) this.values.delete(key);
    else this.values.set(key, copied(value));
    return previous;
  }

  async add(_actor: Actor, key: string, amount: number): Promise<number> {
    const current = this.values.get(key) ?? 0;
    if (typeof current !== 'number')
      throw new RunFault('ValidationError', 'the stored value is not a number');
    this.values.set(key, current + amount);
    return current + amount;
  }

  async update<R>(
    _actor: Actor,
    nodeId: string,
    identifier: string,
    next: (current: unknown) => { readonly state: unknown; readonly result: R },
  ): Promise<R> {
    const key = `${nodeId} ${identifier}`;
    const { state, result } = next(this.states.get(key));
    this.states.set(key, copied(state));
    return result;
  }
}

const copied = (value: unknown): unknown =>
  value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
