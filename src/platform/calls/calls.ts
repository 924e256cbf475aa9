import type { Principal } from '../access/principal.js';

/** Facts of a call of an operation in the process: its caller, and the operation that it must reach. */
export interface Call {
  readonly caller: Principal;
  readonly operationId: string;
}

/**
 * Calls by their request object. A request that arrives over HTTP has no entry, whatever it contains, because only
 * `admitCall` adds entries.
 */
const CALLS = new WeakMap<object, Call>();

/** Admits a request object that was created in this process. The guards then take its caller from `call`. */
export function admitCall<T extends object>(request: T, call: Call): T {
  CALLS.set(request, call);
  return request;
}

/** Returns the call that a request object stands for, or `undefined` for requests over HTTP. */
export const callOf = (request: object): Call | undefined => CALLS.get(request);
