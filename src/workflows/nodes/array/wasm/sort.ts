import { Path } from '../../../embedded/runtime/path';
import { Run } from '../../../embedded/runtime/run';
import { Kind, Value } from '../../../embedded/runtime/value';
import { give } from './index';

/** Item with its sort key. */
class Entry {
  constructor(
    readonly key: Value,
    readonly item: Value,
  ) {}
}

/** Writes the items sorted in ascending or descending order. The sort is stable. */
export function sort(run: Run, list: Value, by: Path | null, descending: bool, to: Path): bool {
  const entries: Array<Entry> = [];
  for (let i = 0; i < list.items.length; i++) {
    const item = list.items[i];
    entries.push(new Entry(by === null ? item : by.get(item), item));
  }
  const direction = descending ? -1 : 1;
  const sorted = Value.list();
  const ordered = merged(entries, direction);
  for (let i = 0; i < ordered.length; i++) sorted.items.push(ordered[i].item);
  return give(run, to, sorted);
}

/** Bottom-up merge sort, because the built-in sort of lists is not stable. */
function merged(entries: Array<Entry>, direction: i32): Array<Entry> {
  let from = entries;
  for (let width = 1; width < entries.length; width *= 2) {
    const to: Array<Entry> = [];
    for (let start = 0; start < from.length; start += 2 * width) {
      const middle = min(start + width, from.length);
      const end = min(middle + width, from.length);
      let left = start;
      let right = middle;
      while (left < middle || right < end) {
        const isLeft =
          right == end || (left < middle && order(from[left].key, from[right].key) * direction <= 0);
        to.push(from[isLeft ? left++ : right++]);
      }
    }
    from = to;
  }
  return from;
}

/**
 * Compares numbers by value, texts by code unit, false before true, and different types by type. Lists and objects are
 * equal.
 */
function order(one: Value, other: Value): i32 {
  if (one.kind != other.kind) return one.kind < other.kind ? -1 : 1;
  if (one.kind == Kind.Text) {
    return one.asText < other.asText ? -1 : one.asText > other.asText ? 1 : 0;
  }
  if (one.kind > Kind.Text) return 0;
  return one.asNumber < other.asNumber ? -1 : one.asNumber > other.asNumber ? 1 : 0;
}
