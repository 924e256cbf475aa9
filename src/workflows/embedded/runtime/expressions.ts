import { constant } from './constants';
import { Path } from './path';

// All that the code of expressions and templates calls, which imports it under this file's name.
export {
  both,
  either,
  isAlike,
  isAtMost,
  isLess,
  isSame,
  isTrue,
  lengthOf,
  power,
  toNumber,
} from './operators';
export { Template } from './template';
export { FALSE, NULL, TRUE, UNDEFINED, Value } from './value';

const paths = new Map<i32, Path>();

/** The path of which a constant has the names, read when it is first used. */
export function path(index: i32): Path {
  if (!paths.has(index)) paths.set(index, Path.of(constant(index)));
  return paths.get(index);
}
