import { writeJson } from '../json';
import { Path } from '../path';
import { Run } from '../run';
import { Kind, Value } from '../value';
import { give } from './array';

/** A text that is the same for equal values alone, unless members of objects stand in another order. */
function identity(value: Value): string {
  return value.kind.toString() + writeJson(value);
}

/** The name of a member that a value gives. */
function nameOf(value: Value): string {
  return value.kind < Kind.List ? value.scalarText() : writeJson(value);
}

/** Keeps the first of equal scalars; lists and objects all stay. */
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

/** Writes the first of the items that have the same at `by`. */
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

/** Writes an object of lists: the items by what they have at `by`. */
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

/** Writes an object: the last of the items that have the same at `by`, under that. */
export function keyBy(run: Run, list: Value, by: Path, to: Path): bool {
  const keyed = Value.object();
  for (let i = 0; i < list.items.length; i++) keyed.set(nameOf(by.get(list.items[i])), list.items[i]);
  return give(run, to, keyed);
}
