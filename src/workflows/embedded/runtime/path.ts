import { UNDEFINED, Value } from './value';

/** How many items a list may be given at once by putting something beyond its end. */
const MOST_NEW_ITEMS: i32 = 10_000;

/** The index that a name is, or -1. */
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

/** What a value has under a name: a member, an item, a unit of a text, or their `length`. */
function child(value: Value, name: string): Value {
  if (value.isObject) return value.member(name);
  if (!value.isList && !value.isText) return UNDEFINED;
  const length = value.isList ? value.items.length : value.asText.length;
  if (name == 'length') return Value.number(length);
  const index = indexOf(name);
  if (index < 0 || index >= length) return UNDEFINED;
  return value.isList ? value.items[index] : Value.text(value.asText.charAt(index));
}

/** Puts a value into a list or object. Answers whether it could. */
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

/** A place in a payload: the names that lead to it. None leads to the payload itself. */
@final
export class Path {
  constructor(private readonly names: Array<string>) {}

  /** The path of which a list of texts has the names. */
  static of(list: Value): Path {
    const names: Array<string> = [];
    for (let i = 0; i < list.items.length; i++) names.push(list.items[i].asText);
    return new Path(names);
  }

  get isRoot(): bool {
    return this.names.length == 0;
  }

  /** What stands there, the value itself and not a clone, or undefined. */
  get(root: Value): Value {
    return this.walk(root, this.names.length);
  }

  /**
   * Puts a value there, which the payload then owns. What is missing on the way, or is no list or object, becomes a
   * list where an index follows, else an object. Answers whether it could: not where the path is empty, asks a list for
   * a name, or leads far beyond its end.
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

  /** Removes what stands there. An item of a list is cut out of it. Answers whether there was something. */
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
