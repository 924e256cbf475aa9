import { Path } from '../../../embedded/runtime/path';
import { randomBelow } from '../../../embedded/runtime/random';
import { Run } from '../../../embedded/runtime/run';
import { NULL, Value } from '../../../embedded/runtime/value';
import { numberIn } from '../../../embedded/runtime/number-said';
import { put } from '../../../embedded/runtime/put';

export { referred, written } from '../../../embedded/runtime/template-value';

/** Maximum size of a range in which every integer can be drawn. */
const MOST: f64 = 9_007_199_254_740_992;

/** Writes a random integer from `min` to `max`, inclusive. Writes null if the range is empty or too large. */
export function draw(run: Run, min: Value, max: Value, to: Path): i32 {
  const least = Math.ceil(numberIn(min));
  const count = Math.floor(numberIn(max)) - least + 1;
  return put(run, to, count >= 1 && count <= MOST ? Value.number(least + randomBelow(count)) : NULL);
}
