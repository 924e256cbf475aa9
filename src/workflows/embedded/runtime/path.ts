import { UNDEFINED, Value } from './value';

/** Maximum number of items that a single write beyond the end can add to a list. */
const MOST_NEW_ITEMS: i32 = 10_000;

/** Parses an index. Returns -1 if the name is not an index. */
function indexOf(name: string): i32 {
  if (name.length == 0 || name.length > 9) return -1;
  let index = 0;
  for (let i = 0; i < name.length; i++) {
    const digit = name.charCodeAt(i) - 0x30;
    if (digit < 0 || digit > 9 || (digit == 0 && i == 0 && name.length > 1)) return -1;
    index = index * 10 + digit;
  }
  return index;
}

/** Returns a property, an item, a code unit of a text, or `length`. */
function child(value: Value, name: string): Value {
  if (value.isObject) return value.member(name);
  if (!value.isList && !value.isText) return UNDEFINED;
  const length = value.isList ? value.items.length : value.asText.length;
  if (name == 'length') return Value.number(length);
  const index = indexOf(name);
  if (index < 0 || index >= length) return UNDEFINED;
  return value.isList ? value.items[index] : Value.text(value.asText.charAt(index));
}

/** Sets a property or an item. Returns whether it could be set. */
function setChild(parent: Value, name: string, value: Value): bool {
  if (parent.isObject) {
    parent.set(name, value);
    return true;
  }
  if (!parent.isList) return false;
  const index = indexOf(name);
  const items = parent.items;
  if (index < 0 || index - items.length > MOST_NEW_ITEMS) return false;
  while (items.length <= index) items.push(UNDEFINED);
  items[index] = value;
  return true;
}

/** Path in a payload as a list of names. The empty path is the payload itself. */
@final
export class Path {
  constructor(private readonly names: Array<string>) {}

  /** Creates a path from a list of names. */
  static of(list: Value): Path {
    const names: Array<string> = [];
    for (let i = 0; i < list.items.length; i++) names.push(list.items[i].asText);
    return new Path(names);
  }

  get isRoot(): bool {
    return this.names.length == 0;
  }

  /** Returns the value at the path without cloning it, or undefined. */
  get(root: Value): Value {
    return this.walk(root, this.names.length);
  }

  /**
   * Moves a value into the payload. Missing or scalar parents are replaced with a list if an index follows, otherwise
   * with an object. Returns `false` if the path is empty, addresses a list by name, or leads far beyond its end.
   */
  set(root: Value, value: Value): bool {
    const last = this.names.length - 1;
    if (last < 0) return false;
    let parent = root;
    for (let i = 0; i < last; i++) {
      let next = child(parent, this.names[i]);
      if (!next.isList && !next.isObject) {
        next = indexOf(this.names[i + 1]) < 0 ? Value.object() : Value.list();
        if (!setChild(parent, this.names[i], next)) return false;
      }
      parent = next;
    }
    return setChild(parent, this.names[last], value);
  }

  /** Removes the value at the path; a list item is cut out. Returns whether it existed. */
  remove(root: Value): bool {
    const last = this.names.length - 1;
    if (last < 0) return false;
    const parent = this.walk(root, last);
    const name = this.names[last];
    if (parent.isObject) return parent.members.delete(name);
    if (!parent.isList) return false;
    const index = indexOf(name);
    if (index < 0 || index >= parent.items.length) return false;
    parent.items.splice(index, 1);
    return true;
  }

  private walk(root: Value, names: i32): Value {
    let value = root;
    for (let i = 0; i < names; i++) value = child(value, this.names[i]);
    return value;
  }
}
