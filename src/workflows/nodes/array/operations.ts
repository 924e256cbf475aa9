import { isDeepStrictEqual } from 'node:util';
import type { Compiled } from '../../language/compile.js';
import { invalidSetting } from '../../engine/run-error.js';
import type { ArrayOperationName } from './config.js';
import { compareItems } from './order.js';

/** Settings of a rule. `input` is a function of the payload, of an item, or of the scope of a filter. */
export interface Rule {
  readonly type: ArrayOperationName;
  readonly inputTemplate: Compiled<unknown>;
  readonly indexTemplate: Compiled<string>;
  readonly order: 'ascending' | 'descending';
}

/**
 * Applies a rule to a list, which it changes in place if the operation changes lists, and returns its output. Items are
 * shared with the payload and not changed.
 */
type Operation = (list: unknown[], rule: Rule, payload: unknown) => unknown;

/** Largest index that an item can be set at, so that one rule cannot create a list of 10^9 holes. */
const MAX_INDEX = 262_144;

export const OPERATIONS: Readonly<Record<ArrayOperationName, Operation>> = {
  compact: (list) => refill(list, list.filter(Boolean)),
  concat: (list, rule, payload) => {
    const added = rule.inputTemplate(payload);
    if (added !== undefined) refill(list, list.concat(added));
  },
  deduplicate: (list) => {
    const seen = new Set();
    refill(
      list,
      list.filter((item) => isContainer(item) || (!seen.has(item) && seen.add(item))),
    );
  },
  deduplicateBy: (list, { inputTemplate: by }) => {
    const seen = new Set<string>();
    return list.filter((item) => {
      const value = by(item);
      const identity = `${typeof value} ${nameOf(value)}`;
      return !seen.has(identity) && seen.add(identity);
    });
  },
  filter: (list, { inputTemplate: keeps }, payload) =>
    list.filter((value, index) => keeps({ value, index, array: list, payload })),
  flatten: (list) => refill(list, list.flat()),
  groupBy: (list, { inputTemplate: by }) => {
    const groups = new Map<string, unknown[]>();
    for (const item of list) {
      const name = nameOf(by(item));
      const group = groups.get(name);
      if (group) group.push(item);
      else groups.set(name, [item]);
    }
    return Object.fromEntries(groups);
  },
  indexOf: (list, rule, payload) => {
    const sought = rule.inputTemplate(payload);
    return list.findIndex((item) => isDeepStrictEqual(item, sought));
  },
  insertAt: (list, rule, payload) => {
    list.splice(indexOf(list, rule, payload), 0, rule.inputTemplate(payload));
  },
  keyBy: (list, { inputTemplate: by }) => Object.fromEntries(list.map((item) => [nameOf(by(item)), item])),
  length: (list) => list.length,
  lookupAt: (list, rule, payload) => list[indexOf(list, rule, payload)],
  pop: (list) => list.pop(),
  push: (list, rule, payload) => void list.push(rule.inputTemplate(payload)),
  removeAt: (list, rule, payload) => {
    const index = indexOf(list, rule, payload);
    return index < 0 ? undefined : list.splice(index, 1)[0];
  },
  replaceAt: (list, rule, payload) => {
    const index = indexOf(list, rule, payload);
    if (index < 0 || index > MAX_INDEX) return undefined;
    const replaced = list[index];
    list[index] = rule.inputTemplate(payload);
    return replaced;
  },
  reverse: (list) => void list.reverse(),
  shift: (list) => list.shift(),
  slice: (list, { inputTemplate, indexTemplate }, payload) => {
    const from = optionalInteger(inputTemplate(payload), 'inputTemplate');
    refill(list, list.slice(from, optionalInteger(indexTemplate(payload), 'indexTemplate')));
  },
  sort: (list, { order }) => sorted(list, order, (item) => item),
  sortBy: (list, { order, inputTemplate: by }) => sorted(list, order, by),
  sum: (list) => list.reduce<number>((sum, item) => (typeof item === 'number' ? sum + item : sum), 0),
  unshift: (list, rule, payload) => void list.unshift(rule.inputTemplate(payload)),
};

const isContainer = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Returns a value as the name of a member. */
const nameOf = (value: unknown): string => (isContainer(value) ? JSON.stringify(value) : String(value));

/** Replaces the items of a list. In a loop, because an argument for each item would overflow the stack. */
function refill(list: unknown[], items: readonly unknown[]): void {
  list.length = items.length;
  items.forEach((item, i) => (list[i] = item));
}

/** Returns the index of a rule. Negative ones count from the end. */
function indexOf(list: readonly unknown[], { indexTemplate }: Rule, payload: unknown): number {
  const index = optionalInteger(indexTemplate(payload), 'indexTemplate');
  if (index === undefined) throw invalidSetting('indexTemplate', 'is required');
  return index < 0 ? index + list.length : index;
}

function optionalInteger(value: unknown, at: string): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (Number.isSafeInteger(number)) return number as number;
  throw invalidSetting(at, 'must be an integer');
}

function sorted(list: readonly unknown[], order: Rule['order'], by: Compiled<unknown>): unknown[] {
  const direction = order === 'descending' ? -1 : 1;
  return list
    .map((item) => ({ item, key: by(item) }))
    .sort((one, other) => direction * compareItems(one.key, other.key))
    .map(({ item }) => item);
}
