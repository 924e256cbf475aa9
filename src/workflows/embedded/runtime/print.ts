import { TextBuilder } from './text-builder';
import { Kind, Value } from './value';

/**
 * Converts a value to text as JavaScript does: empty for undefined and null, comma-separated items for lists, and
 * `[object Object]` for objects.
 */
export function printed(value: Value): string {
  if (value.isMissing) return '';
  if (value.kind < Kind.List) return value.scalarText();
  const to = new TextBuilder();
  print(value, to);
  return to.text;
}

/** Appends the result of `printed`. */
export function print(value: Value, to: TextBuilder): void {
  // Stack of nested lists, each with its next index.
  const lists: Array<Value> = [];
  const indices: Array<i32> = [];
  let current = value;
  while (true) {
    if (current.isList) {
      lists.push(current);
      indices.push(0);
    } else if (current.isObject) {
      to.append('[object Object]');
    } else if (!current.isMissing) {
      to.append(current.scalarText());
    }
    while (lists.length > 0 && indices[lists.length - 1] == lists[lists.length - 1].items.length) {
      lists.pop();
      indices.pop();
    }
    if (lists.length == 0) return;
    const index = indices[lists.length - 1]++;
    if (index > 0) to.unit(0x2c);
    current = lists[lists.length - 1].items[index];
  }
}
