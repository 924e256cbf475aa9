import type { Scope } from './scope.js';

/** Helpers that templates can call. Experience views can add theirs, such as `page`. */
export interface Dialect {
  readonly helpers: ReadonlyMap<string, Helper>;
  /**
   * Names of helpers that are called without arguments. Any other name alone is a reference, because members of data are
   * often called `last` or `length`.
   */
  readonly bare: ReadonlySet<string>;
}

/**
 * Returns the value of a call; as a block, it renders its body if the value is truthy. Missing arguments are
 * `undefined`. Values belong to the payload and must not be changed. Throws a `RunFault`.
 */
export type Helper = (args: readonly unknown[], call: Call) => unknown;

/** Named arguments and scope of a call. */
export interface Call {
  readonly hash: ReadonlyMap<string, unknown>;
  readonly scope: Scope;
}
