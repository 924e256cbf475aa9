/**
 * Calls `next` with a value: at once if it is there, later if it is a promise. `await` makes even a value that is there
 * wait for a turn, which takes as long as a step of a fast request.
 */
export const whenReady = <T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> =>
  value instanceof Promise ? value.then(next) : next(value);
