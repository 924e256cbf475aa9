import { Path } from '../path';
import { Run } from '../run';
import { Kind, Value } from '../value';
import { give } from './array';

/** An item with what it is sorted by. */
class Entry {
  constructor(
    readonly key: Value,
    readonly item: Value,
  ) {}
}

/** Writes the items in their order, or in the opposite one. Equal ones stay as they stand. */
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

/** Merges runs of one entry to runs of two, and so on. The sort that lists have may turn equal entries around. */
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

/** Numbers by size, texts by their units, false before true; different kinds by kind. Lists and objects are all equal. */
function order(one: Value, other: Value): i32 {
  if (one.kind != other.kind) return one.kind < other.kind ? -1 : 1;
  if (one.kind == Kind.Text) {
    return one.asText < other.asText ? -1 : one.asText > other.asText ? 1 : 0;
  }
  if (one.kind > Kind.Text) return 0;
  return one.asNumber < other.asNumber ? -1 : one.asNumber > other.asNumber ? 1 : 0;
}
