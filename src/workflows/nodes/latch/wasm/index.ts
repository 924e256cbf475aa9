import { Path } from '../../../embedded/runtime/path';
import { FAILED, Run } from '../../../embedded/runtime/run';
import { slots } from '../../../embedded/runtime/slots';
import { TRUE, Value } from '../../../embedded/runtime/value';
import { putInto } from '../../../embedded/runtime/put';

/** Maximum number of concurrently closed latches of a node. */
const MOST_CLOSED: i32 = 1_000;

/**
 * If the latch `id` is open and `latches` is true, closes it and follows output 1, otherwise output 0. If it is closed
 * and `resets` is true, opens it. The slot holds an object with a property for each closed latch.
 */
export function latch(
  run: Run,
  slot: i32,
  id: string,
  latches: bool,
  resets: bool,
  latchResult: Path | null,
  resetResult: Path | null,
  before: Path | null,
  after: Path | null,
  branch: Path | null,
): i32 {
  if (slots[slot].isUndefined) slots[slot] = Value.object();
  const closed = slots[slot].members;
  const was = closed.has(id);
  const closes = !was && latches;
  if (closes && closed.size == MOST_CLOSED)
    return run.fail('RangeError', 'a node can have at most 1000 closed latches');
  if (closes) closed.set(id, TRUE);
  if (was && resets) closed.delete(id);
  const noted =
    note(run, latchResult, Value.boolean(latches)) &&
    note(run, resetResult, Value.boolean(resets)) &&
    note(run, before, Value.boolean(was)) &&
    note(run, after, Value.boolean(closes || (was && !resets))) &&
    note(run, branch, Value.number(closes ? 1 : 0));
  return noted ? (closes ? 1 : 0) : FAILED;
}

function note(run: Run, path: Path | null, value: Value): bool {
  return path === null || putInto(run, run.payload, path, value);
}
