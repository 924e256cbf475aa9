import { Path } from '../../../embedded/runtime/path';
import { Run } from '../../../embedded/runtime/run';
import { NULL, Value } from '../../../embedded/runtime/value';
import { put } from '../../../embedded/runtime/put';

/** Writes the result of an expression if it is a number, otherwise null, because JSON has no NaN. */
export function reckon(run: Run, value: Value, to: Path): i32 {
  const n = value.toNumber();
  return put(run, to, isFinite(n) ? Value.number(n) : NULL);
}
