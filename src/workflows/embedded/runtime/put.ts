import { Path } from './path';
import { FAILED, Run } from './run';
import { Value } from './value';

/** Moves a value into the payload and follows output 0. Fails the run if the path cannot be written. */
export function put(run: Run, path: Path, value: Value): i32 {
  return putInto(run, run.payload, path, value) ? 0 : FAILED;
}

/** Moves a value into a payload of the run. Returns whether the path could be written; if not, the run fails. */
export function putInto(run: Run, payload: Value, path: Path, value: Value): bool {
  if (path.set(payload, value)) return true;
  run.fail('PathError', 'the path cannot be written to');
  return false;
}
