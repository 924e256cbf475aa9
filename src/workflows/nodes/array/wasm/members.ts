import { writeJson } from '../../../embedded/runtime/json';
import { Path } from '../../../embedded/runtime/path';
import { Run } from '../../../embedded/runtime/run';
import { Kind, Value } from '../../../embedded/runtime/value';
import { give } from './index';

/**
 * Returns a text that is equal only for equal values. Objects with properties in a different order count as different.
 */
function identity(value: Value): string {
  return value.kind.toString() + writeJson(value);
}

/** Converts a value to a property name. */
function nameOf(value: Value): string {
  return value.kind < Kind.List ? value.scalarText() : writeJson(value);
}

/** Keeps the first of equal scalars; lists and objects are all kept. */
export function deduplicate(list: Value): bool {
  const seen = new Set<string>();
  const items = list.items;
  let kept = 0;
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (item.kind < Kind.List) {
      const own = identity(item);
      if (seen.has(own)) continue;
      seen.add(own);
    }
    items[kept++] = item;
  }
  items.length = kept;
  return true;
}

/** Writes the first item for each distinct value at `by`. */
export function deduplicateBy(run: Run, list: Value, by: Path, to: Path): bool {
  const seen = new Set<string>();
  const kept = Value.list();
  for (let i = 0; i < list.items.length; i++) {
    const own = identity(by.get(list.items[i]));
    if (seen.has(own)) continue;
    seen.add(own);
    kept.items.push(list.items[i]);
  }
  return give(run, to, kept);
}

/** Writes an object of lists: the items grouped by their value at `by`. */
export function groupBy(run: Run, list: Value, by: Path, to: Path): bool {
  const groups = Value.object();
  for (let i = 0; i < list.items.length; i++) {
    const name = nameOf(by.get(list.items[i]));
    let group = groups.member(name);
    if (group.isUndefined) groups.set(name, (group = Value.list()));
    group.items.push(list.items[i]);
  }
  return give(run, to, groups);
}

/** Writes an object of items keyed by their value at `by`; the last one wins. */
export function keyBy(run: Run, list: Value, by: Path, to: Path): bool {
  const keyed = Value.object();
  for (let i = 0; i < list.items.length; i++) keyed.set(nameOf(by.get(list.items[i])), list.items[i]);
  return give(run, to, keyed);
}
