import { Path } from '../../../embedded/runtime/path';
import { Run } from '../../../embedded/runtime/run';
import { storedValue, storedValues } from '../../../embedded/runtime/storage';
import { Value } from '../../../embedded/runtime/value';
import { put } from '../../../embedded/runtime/put';

/** Writes the value stored under a key, or else `fallback`, to the payload. */
export function getValue(run: Run, key: string, path: Path, fallback: Value): i32 {
  const stored = storedValue(run, key);
  return put(run, path, (stored.isUndefined ? fallback : stored).clone());
}

/** Like `getValue`, with a fallback from a template; it is undefined if the template did not yield valid JSON. */
export function getValueOrJson(run: Run, key: string, path: Path, fallback: Value): i32 {
  if (fallback.isUndefined && storedValue(run, key).isUndefined)
    return run.fail('InvalidJsonError', 'the default value is not valid JSON');
  return getValue(run, key, path, fallback);
}

/** Writes all values stored by the workflow to the payload, by key. */
export function getAllValues(run: Run, path: Path): i32 {
  const stored = storedValues(run);
  return put(run, path, stored.isObject ? stored.clone() : Value.object());
}
