import { TextBuilder } from './text-builder';
import { Kind, Value } from './value';

/**
 * The text that a template shows of a value: nothing of undefined and null, lists with commas between their items, and
 * `[object Object]` of objects, as JavaScript has it.
 */
export function printed(value: Value): string {
  if (value.isMissing) return '';
  if (value.kind < Kind.List) return value.scalarText();
  const to = new TextBuilder();
  print(value, to);
  return to.text;
}

/** What `printed` answers, appended. */
export function print(value: Value, to: TextBuilder): void {
  // Lists in lists wait here: each with the index that is its next.
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
