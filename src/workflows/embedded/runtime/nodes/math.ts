import { Path } from '../path';
import { Run } from '../run';
import { NULL, Value } from '../value';
import { put } from './put';

/** Writes the number that an expression yields; null where it is none, since JSON has no other word for that. */
export function reckon(run: Run, value: Value, to: Path): i32 {
  const n = value.toNumber();
  return put(run, to, isFinite(n) ? Value.number(n) : NULL);
}
