import { Path } from '../path';
import { FAILED, Run } from '../run';
import { Value } from '../value';

/** Puts a value into the payload, which then owns it, and leads to output 0. Where it cannot stand there, the run fails. */
export function put(run: Run, path: Path, value: Value): i32 {
  return putInto(run, run.payload, path, value) ? 0 : FAILED;
}

/** Puts a value into a payload of the run. Answers whether it could; else the run fails. */
export function putInto(run: Run, payload: Value, path: Path, value: Value): bool {
  if (path.set(payload, value)) return true;
  run.fail('PathError', 'a path leads to where nothing can stand');
  return false;
}
