import { Path } from '../path';
import { Run } from '../run';
import { NULL, Value } from '../value';
import { put } from './put';

/** Writes the result of an expression if it is a number, otherwise null, because JSON has no NaN. */
export function reckon(run: Run, value: Value, to: Path): i32 {
  const n = value.toNumber();
  return put(run, to, isFinite(n) ? Value.number(n) : NULL);
}
