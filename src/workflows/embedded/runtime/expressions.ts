import { constant } from './constants';
import { Path } from './path';

// Functions called by the code of expressions and templates, which imports them from this file.
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

/** Returns the path with the names in a constant, parsed on first use. */
export function path(index: i32): Path {
  if (!paths.has(index)) paths.set(index, Path.of(constant(index)));
  return paths.get(index);
}
