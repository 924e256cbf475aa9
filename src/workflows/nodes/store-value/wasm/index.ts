import { Path } from '../../../embedded/runtime/path';
import { Run } from '../../../embedded/runtime/run';
import { storedValue, storeValue } from '../../../embedded/runtime/storage';
import { Value } from '../../../embedded/runtime/value';
import { numberSaid } from '../../../embedded/runtime/number-said';
import { put } from '../../../embedded/runtime/put';

/** Moves a value into the storage and writes a clone to `result`. Undefined removes the entry. */
export function keep(run: Run, key: string, value: Value, result: Path | null): i32 {
  if (!storeValue(run, key, value)) return run.fail('StorageError', 'the storage of the device is full');
  return result === null ? 0 : put(run, result, value.clone());
}

/** Stores the JSON from a template; undefined if the template did not yield valid JSON. */
export function storeJson(run: Run, key: string, value: Value, result: Path | null): i32 {
  if (value.isUndefined) return run.fail('InvalidJsonError', 'the value to store is not valid JSON');
  return keep(run, key, value, result);
}

export function storeNumber(run: Run, key: string, text: string, result: Path | null): i32 {
  const number = numberSaid(text);
  return isFinite(number) ? keep(run, key, Value.number(number), result) : noNumber(run);
}

/** Adds the number in a text, multiplied by `sign`, to the stored number; a missing entry counts as 0. */
export function addToStored(run: Run, key: string, text: string, sign: f64, result: Path | null): i32 {
  const stored = storedValue(run, key);
  const sum = (stored.isUndefined ? 0 : stored.toNumber()) + sign * numberSaid(text);
  return isFinite(sum) ? keep(run, key, Value.number(sum), result) : noNumber(run);
}

function noNumber(run: Run): i32 {
  return run.fail('ValidationError', 'the value to store is not a number');
}
