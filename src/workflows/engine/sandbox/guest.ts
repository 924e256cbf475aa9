/** Functions of the host that the guest receives. */
export interface HostFunctions {
  readonly log: (level: string, text: string) => void;
  readonly random: () => number;
}

/** What the guest must know of the host. Plain data, printed into its source. */
export interface GuestSettings {
  readonly dateMark: string;
  readonly maxText: number;
  readonly maxResult: number;
}

/**
 * Calls a script with the text of a payload. Returns the JSON of the result (empty for `undefined`), `TOO_LARGE`, or
 * `ERROR` and the JSON of the error.
 */
export type GuestRun = (script: (payload: unknown) => unknown, text: string) => string;

/** First characters of answers that are not JSON. */
export const TOO_LARGE = '#';
export const ERROR = '!';

/**
 * First code of an instance. It is not called here: its source is evaluated inside the sandbox, so it must not refer to
 * anything outside of its own braces. It keeps the built-in functions that it needs, because scripts can replace them.
 */
export function guest(host: HostFunctions, settings: GuestSettings): GuestRun {
  'use strict';
  const parse = JSON.parse.bind(JSON);
  const stringify = JSON.stringify.bind(JSON);
  const defineProperty = Object.defineProperty.bind(Object);
  const { log, random } = host;
  const NativeDate = Date;
  const NativeError = Error;
  const NativePromise = Promise;
  const { apply } = Reflect;
  const nativeSlice = Reflect.get(String.prototype, 'slice');
  const nativeGetTime = Reflect.get(Date.prototype, 'getTime');
  const slice = (value: string, from: number, to: number) => apply(nativeSlice, value, [from, to]);
  const getTime = (date: unknown) => apply(nativeGetTime, date, []);
  const text = String;

  // The state of the built-in generator is part of the memory that each call starts from.
  Math.random = () => random();

  const printed = (value: unknown): string => {
    try {
      if (typeof value !== 'object' || value === null) return text(value);
      if (value instanceof NativeError) return `${value.name}: ${value.message}`;
      return stringify(value) ?? text(value);
    } catch {
      return '[unprintable]';
    }
  };
  const printer =
    (level: string) =>
    (...values: unknown[]): void => {
      let line = '';
      for (let i = 0; i < values.length && line.length < settings.maxText; i++)
        line += (i > 0 ? ' ' : '') + slice(printed(values[i]), 0, settings.maxText);
      log(level, slice(line, 0, settings.maxText));
    };
  const levels = {
    debug: 'verbose',
    error: 'error',
    info: 'info',
    log: 'verbose',
    trace: 'verbose',
    warn: 'warn',
  };
  const console: Record<string, unknown> = {};
  for (const [method, level] of Object.entries(levels)) console[method] = printer(level);
  defineProperty(globalThis, 'console', { value: console, configurable: true, writable: true });

  const restoreDates = (payload: unknown, paths: readonly (readonly string[])[]): unknown => {
    const root = { payload } as Record<string, unknown>;
    for (const path of paths) {
      let holder = root;
      let name = 'payload';
      for (const next of path) {
        holder = holder[name] as Record<string, unknown>;
        name = next;
      }
      const value = new NativeDate(holder[name] as string);
      if (name !== '__proto__') holder[name] = value;
      else defineProperty(holder, name, { value, configurable: true, enumerable: true, writable: true });
    }
    return root.payload;
  };

  const dateToJson = function (this: unknown): string | null {
    const time = getTime(this);
    return time === time ? settings.dateMark + time : null;
  };

  /** Without a prototype, so that no `toJSON` of the script applies. */
  const describe = (error: unknown): object => {
    const found = { __proto__: null, name: 'Error', message: '', stack: '' };
    try {
      if (error instanceof NativeError) {
        found.name = slice(text(error.name), 0, 100);
        found.message = slice(text(error.message), 0, settings.maxText);
        found.stack = slice(text(error.stack), 0, settings.maxText * 4);
      } else found.message = slice(printed(error), 0, settings.maxText);
    } catch {
      found.message = 'The script threw a value that cannot be printed';
    }
    return found;
  };

  return (script, given) => {
    try {
      const parts = parse(given) as [unknown, string[][]?];
      const payload = parts[1] ? restoreDates(parts[0], parts[1]) : parts[0];
      const returned = script(payload);
      if (returned instanceof NativePromise)
        throw new TypeError('The script returned a promise, but a Function node does not wait for promises');
      const isKept = returned === undefined || typeof returned === 'function' || typeof returned === 'symbol';
      defineProperty(NativeDate.prototype, 'toJSON', { value: dateToJson, configurable: true });
      const result = stringify(isKept ? payload : returned) ?? '';
      return result.length > settings.maxResult ? '#' : result;
    } catch (error) {
      return '!' + stringify(describe(error));
    }
  };
}
