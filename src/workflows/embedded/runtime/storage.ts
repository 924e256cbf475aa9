import { STORAGE } from './bundle';
import { eea_storage_read, eea_storage_save } from './env';
import { parseOwnJson, writeJson } from './json';
import { isShort } from './memory';
import { encodedUtf8 } from './messages';
import { FlowFact, flowFact } from './flows';
import { Run } from './run';
import { ERRORS, trace } from './trace';
import { lengthInUtf8 } from './utf8';
import { UNDEFINED, Value } from './value';

const EMPTY: Value = Value.object();

/** Stored values by workflow and key. */
let stored: Value = Value.object();
/** Upper bound of its JSON size in bytes, including braces. */
let size: i32 = 2;
/** Maximum JSON size in bytes. */
let capacity: i32 = 1_024_000;
/** Milliseconds between writes; 0 keeps values in memory only. */
let interval: i32 = 0;
let changed: bool = false;
let saved: i64 = i64.MIN_VALUE;

export function setStorageCapacity(bytes: i32): void {
  capacity = bytes;
}

export function setStorageInterval(milliseconds: i32): void {
  interval = milliseconds;
}

/** Returns the value that the run's workflow has stored under a key, without cloning it, or undefined. */
export function storedValue(run: Run, key: string): Value {
  return storedValues(run).member(key);
}

/** Returns all values of the run's workflow by key, without cloning them; undefined if it never stored any. */
export function storedValues(run: Run): Value {
  return stored.member(flowFact(run.trigger.flow, FlowFact.Id).asText);
}

/**
 * Moves a value into the storage; undefined removes the entry. Returns `false` if it is full. A smaller value always
 * fits.
 */
export function storeValue(run: Run, key: string, value: Value): bool {
  const id = flowFact(run.trigger.flow, FlowFact.Id).asText;
  let values = stored.member(id);
  const opened = values.isObject ? 0 : entrySize(id, EMPTY);
  const grown = size + opened + entrySize(key, value) - entrySize(key, values.member(key));
  if ((grown > capacity && grown > size) || isShort()) return false;
  size = grown;
  changed = true;
  if (opened > 0) stored.set(id, (values = Value.object()));
  if (value.isUndefined) values.members.delete(key);
  else values.set(key, value);
  return true;
}

/** Reads the values saved by the host. Returns the host's code. */
export function loadStorage(): i32 {
  if (!STORAGE) return 0;
  const buffer = new StaticArray<u8>(capacity);
  const length = new StaticArray<u32>(1);
  const code = eea_storage_read(changetype<usize>(buffer), capacity, changetype<usize>(length));
  if (code != 0) return code;
  stored = Value.object();
  size = 2;
  changed = false;
  saved = i64.MIN_VALUE;
  if (length[0] == 0) return 0;
  if (length[0] > <u32>capacity) {
    trace(ERRORS, 'the stored data exceeds the maximum storage size');
    return 0;
  }
  const read = parseOwnJson(changetype<usize>(buffer), length[0]);
  if (read !== null && read.isObject) {
    stored = read;
    size = length[0];
  } else trace(ERRORS, 'the stored data is not a JSON object');
  return 0;
}

/** Saves changes once per interval, counted from the first tick. Returns the host's code. */
export function saveStorageAt(tick: i64): i32 {
  if (!STORAGE || interval <= 0) return 0;
  if (saved == i64.MIN_VALUE || saved > tick) saved = tick;
  if (!changed || tick - saved < interval) return 0;
  saved = tick;
  return saveStorage();
}

/** Saves the storage if it is persistent. Returns the host's code. */
export function saveStorage(): i32 {
  if (!STORAGE || interval <= 0) return 0;
  const bytes = encodedUtf8(writeJson(stored));
  const code = eea_storage_save(changetype<usize>(bytes), bytes.length);
  if (code == 0) changed = false;
  return code;
}

/** Returns an upper bound of the JSON size of an entry in bytes, including punctuation. */
function entrySize(key: string, value: Value): i32 {
  if (value.isUndefined) return 0;
  return lengthInUtf8(writeJson(Value.text(key))) + lengthInUtf8(writeJson(value)) + 2;
}
