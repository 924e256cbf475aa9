import { parseJson } from '../../../embedded/runtime/json';
import { isShort } from '../../../embedded/runtime/memory';
import { Path } from '../../../embedded/runtime/path';
import { put } from '../../../embedded/runtime/put';
import { FAILED, Run } from '../../../embedded/runtime/run';
import { UNDEFINED, Value } from '../../../embedded/runtime/value';
import { numberIn } from '../../../embedded/runtime/number-said';

export { put } from '../../../embedded/runtime/put';
export { referred, written } from '../../../embedded/runtime/template-value';

/**
 * Returns a copy of the list that a node works on, so that rules see the original payload. Creates an empty list if
 * none exists, and returns the characters of a text. Fails the run and returns null for any other value.
 */
export function take(run: Run, from: Path): Value | null {
  const value = from.get(run.payload);
  if (value.isList) return value.clone();
  if (value.isText) return charactersOf(value.asText);
  if (value.isMissing) return put(run, from, Value.list()) == FAILED ? null : Value.list();
  run.fail('ValidationError', 'sourceArrayPath must refer to a list or a text');
  return null;
}

/** A text stays a text if no other destination is given for its characters. */
export function isText(run: Run, from: Path): bool {
  return from.get(run.payload).isText;
}

/** Splits a text by code points, so that no character is cut in half. */
function charactersOf(text: string): Value {
  const list = Value.list();
  for (let i = 0; i < text.length && !isShort();) {
    const size = text.codePointAt(i) > 0xffff ? 2 : 1;
    list.items.push(Value.text(text.substr(i, size)));
    i += size;
  }
  return list;
}

/** Replaces the items of a list. */
function refill(list: Value, items: Array<Value>): bool {
  const own = list.items;
  own.length = 0;
  for (let i = 0; i < items.length; i++) own.push(items[i]);
  return true;
}

/** Writes a clone of the result of a rule to the payload. */
export function give(run: Run, to: Path | null, value: Value): bool {
  if (to === null || to.set(run.payload, value.clone())) return true;
  run.fail('ValidationError', 'outputPath cannot be written to');
  return false;
}

/** Resolves a list index; negative ones count from the end. Fails the run and returns NaN if it is not an integer. */
function place(run: Run, list: Value, index: Value): f64 {
  const at = numberIn(index);
  if (at != Math.floor(at) || !isFinite(at)) {
    run.fail('ValidationError', 'the index of a list must be an integer');
    return NaN;
  }
  return at < 0 ? at + list.items.length : at;
}

/** Checks whether the list has an item at this index. */
function has(list: Value, at: f64): bool {
  return at >= 0 && at < <f64>list.items.length;
}

export function length(run: Run, list: Value, to: Path): bool {
  return give(run, to, Value.number(list.items.length));
}

export function lookupAt(run: Run, list: Value, index: Value, to: Path): bool {
  const at = place(run, list, index);
  if (isNaN(at)) return false;
  return give(run, to, has(list, at) ? list.items[<i32>at] : UNDEFINED);
}

export function indexOf(run: Run, list: Value, sought: Value, to: Path): bool {
  const items = list.items;
  let at = 0;
  while (at < items.length && !items[at].equals(sought)) at++;
  return give(run, to, Value.number(at < items.length ? at : -1));
}

export function sum(run: Run, list: Value, to: Path): bool {
  let total: f64 = 0;
  for (let i = 0; i < list.items.length; i++) {
    if (list.items[i].isNumber) total += list.items[i].asNumber;
  }
  return give(run, to, Value.number(total));
}

export function push(list: Value, value: Value): bool {
  list.items.push(value);
  return true;
}

export function unshift(list: Value, value: Value): bool {
  list.items.unshift(value);
  return true;
}

export function pop(run: Run, list: Value, to: Path | null): bool {
  return give(run, to, list.items.length > 0 ? list.items.pop() : UNDEFINED);
}

export function shift(run: Run, list: Value, to: Path | null): bool {
  return give(run, to, list.items.length > 0 ? list.items.shift() : UNDEFINED);
}

export function insertAt(run: Run, list: Value, index: Value, value: Value): bool {
  const at = place(run, list, index);
  if (isNaN(at)) return false;
  const items = list.items;
  const before = <i32>Math.max(0, Math.min(at, items.length));
  items.push(value);
  for (let i = items.length - 1; i > before; i--) items[i] = items[i - 1];
  items[before] = value;
  return true;
}

export function removeAt(run: Run, list: Value, index: Value, to: Path | null): bool {
  const at = place(run, list, index);
  if (isNaN(at)) return false;
  return give(run, to, has(list, at) ? list.items.splice(<i32>at, 1)[0] : UNDEFINED);
}

export function replaceAt(run: Run, list: Value, index: Value, value: Value, to: Path | null): bool {
  const at = place(run, list, index);
  if (isNaN(at)) return false;
  if (!has(list, at)) return give(run, to, UNDEFINED);
  const old = list.items[<i32>at];
  list.items[<i32>at] = value;
  return give(run, to, old);
}

export function reverse(list: Value): bool {
  list.items.reverse();
  return true;
}

export function compact(list: Value): bool {
  const kept: Array<Value> = [];
  for (let i = 0; i < list.items.length; i++) {
    if (list.items[i].truthy) kept.push(list.items[i]);
  }
  return refill(list, kept);
}

/** Flattens nested lists by one level. */
export function flatten(list: Value): bool {
  const flat: Array<Value> = [];
  for (let i = 0; i < list.items.length; i++) {
    const item = list.items[i];
    if (!item.isList) flat.push(item);
    else for (let j = 0; j < item.items.length; j++) flat.push(item.items[j]);
  }
  return refill(list, flat);
}

/** Appends another list, given as a list or as JSON. */
export function concat(run: Run, list: Value, other: Value): bool {
  const more = other.isText ? parseJson(other.asText) : other;
  if (more === null || !more.isList) {
    run.fail('ValidationError', 'only a list can be appended to a list');
    return false;
  }
  for (let i = 0; i < more.items.length; i++) list.items.push(more.items[i]);
  return true;
}

/** Keeps the items between two indexes, the second exclusive; an empty text means the start or the end. */
export function slice(run: Run, list: Value, from: Value, to: Value): bool {
  const length = list.items.length;
  const start = bound(run, list, from, 0);
  const end = bound(run, list, to, length);
  if (isNaN(start) || isNaN(end)) return false;
  return refill(list, list.items.slice(<i32>start, <i32>end));
}

function bound(run: Run, list: Value, index: Value, whenNone: f64): f64 {
  if (index.isText && index.asText.length == 0) return whenNone;
  const at = place(run, list, index);
  return isNaN(at) ? NaN : Math.max(0, Math.min(at, list.items.length));
}
