import type { Actor, StoragePort } from '../../workflows/engine/ports.js';
import { invalidSetting } from '../../workflows/engine/run-error.js';
import { fitsJson } from '../../workflows/engine/size.js';
import type { Store } from './store.js';

const MAX_KEY_LENGTH = 255;
const MAX_VALUE_BYTES = 16 * 1024;

/** Values that workflows store, and the states of their nodes. They stay on the device. */
export class FlowValues implements StoragePort {
  constructor(private readonly store: Store) {}

  async get({ flowId }: Actor, key: string): Promise<unknown> {
    assertKey(key);
    return this.value(flowId, key);
  }

  async all({ flowId }: Actor): Promise<Readonly<Record<string, unknown>>> {
    const rows = this.store.all('SELECT key, json FROM flow_values WHERE flow_id = ? ORDER BY key', [flowId]);
    return Object.fromEntries(rows.map(({ key, json }) => [String(key), JSON.parse(String(json))]));
  }

  async set({ flowId }: Actor, key: string, value: unknown): Promise<unknown> {
    assertKey(key);
    const previous = this.value(flowId, key);
    if (value === undefined)
      this.store.run('DELETE FROM flow_values WHERE flow_id = ? AND key = ?', [flowId, key]);
    else this.write(flowId, key, value);
    return previous;
  }

  async add({ flowId }: Actor, key: string, amount: number): Promise<number> {
    assertKey(key);
    if (!Number.isFinite(amount)) throw invalidSetting('The amount to add', 'is not a number');
    const stored = this.value(flowId, key) ?? 0;
    if (typeof stored !== 'number') throw invalidSetting(`The stored value of ${key}`, 'is not a number');
    this.write(flowId, key, stored + amount);
    return stored + amount;
  }

  async update<R>(
    { flowId }: Actor,
    nodeId: string,
    identifier: string,
    next: (current: unknown) => { readonly state: unknown; readonly result: R },
  ): Promise<R> {
    const key = [flowId, nodeId, identifier];
    const row = this.store.get(
      'SELECT json FROM node_states WHERE flow_id = ? AND node_id = ? AND identifier = ?',
      key,
    );
    const { state = null, result } = next(row && JSON.parse(String(row.json)));
    const json = jsonOf('The state of the node', state);
    if (json !== row?.json)
      this.store.run('INSERT OR REPLACE INTO node_states VALUES (?, ?, ?, ?)', [...key, json]);
    return result;
  }

  /** Removes all values and states. */
  clear(): void {
    this.store.run('DELETE FROM flow_values');
    this.store.run('DELETE FROM node_states');
  }

  private value(flowId: string, key: string): unknown {
    const row = this.store.get('SELECT json FROM flow_values WHERE flow_id = ? AND key = ?', [flowId, key]);
    return row && JSON.parse(String(row.json));
  }

  private write(flowId: string, key: string, value: unknown): void {
    const json = jsonOf('The stored value', value);
    this.store.run('INSERT OR REPLACE INTO flow_values VALUES (?, ?, ?)', [flowId, key, json]);
  }
}

function assertKey(key: string): void {
  if (key.length < 1 || key.length > MAX_KEY_LENGTH || key.includes('\0'))
    throw invalidSetting('The key of a stored value', `must have 1 to ${MAX_KEY_LENGTH} characters`);
}

function jsonOf(name: string, value: unknown): string {
  if (!fitsJson(value, MAX_VALUE_BYTES))
    throw invalidSetting(name, `is larger than ${MAX_VALUE_BYTES} bytes`);
  return JSON.stringify(value) ?? 'null';
}
