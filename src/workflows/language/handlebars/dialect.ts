import type { Scope } from './scope.js';

/** What templates can call and contain. */
export interface Dialect {
  readonly helpers: ReadonlyMap<string, Helper>;
  /**
   * Names of helpers that are called without arguments. Any other name alone is a reference, because members of data are
   * often called `last` or `length`.
   */
  readonly bare: ReadonlySet<string>;
  /** Helpers that decide themselves what becomes of the body of their block. */
  readonly blocks?: ReadonlyMap<string, BlockHelper>;
  /** Whether templates can define inline partials and call them. */
  readonly hasPartials?: boolean;
  /** Maximum number of characters, and of names and signs in all braces. */
  readonly maxLength?: number;
  readonly maxTokens?: number;
}

/**
 * Returns the value of a call; as a block, it renders its body if the value is truthy. Missing arguments are
 * `undefined`. Values belong to the payload and must not be changed. Throws a `RunFault`.
 */
export type Helper = (args: readonly unknown[], call: Call) => unknown;

/** Returns the text of a block. `body` renders its body, and `otherwise` the part after `{{else}}`. */
export type BlockHelper = (
  args: readonly unknown[],
  call: Call,
  body: () => string,
  otherwise: () => string,
) => string;

/** Named arguments and scope of a call. */
export interface Call {
  readonly hash: ReadonlyMap<string, unknown>;
  readonly scope: Scope;
}
