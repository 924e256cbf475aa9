import { Path } from '../path';
import { Run } from '../run';
import { storedValue, storedValues } from '../storage';
import { Value } from '../value';
import { put } from './put';

/** Puts what is stored under a key into the payload, else `fallback`. */
export function getValue(run: Run, key: string, path: Path, fallback: Value): i32 {
  const stored = storedValue(run, key);
  return put(run, path, (stored.isUndefined ? fallback : stored).clone());
}

/** The same with a fallback from a template, which is undefined where that gave no JSON. */
export function getValueOrJson(run: Run, key: string, path: Path, fallback: Value): i32 {
  if (fallback.isUndefined && storedValue(run, key).isUndefined)
    return run.fail('InvalidJsonError', 'the default value is no JSON');
  return getValue(run, key, path, fallback);
}

/** Puts all that the workflow has stored into the payload, by its keys. */
export function getAllValues(run: Run, path: Path): i32 {
  const stored = storedValues(run);
  return put(run, path, stored.isObject ? stored.clone() : Value.object());
}
