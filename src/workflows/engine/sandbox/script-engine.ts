import { MAX_PAYLOAD_BYTES } from '../limits.js';
import type { DebugLevel } from '../ports.js';

/** Call of a script. Only text crosses the boundary of an engine. */
export interface ScriptCall {
  /** Instance that scripts of one version of a workflow share. Contains the ID of the application. */
  readonly key: string;
  /** Body of a function with the parameter `payload`. */
  readonly script: string;
  /** The payload, as `encodePayload` returns it. */
  readonly text: string;
}

/** Message of a `console` method. */
export interface ConsoleMessage {
  readonly level: DebugLevel;
  readonly text: string;
}

/** Error of a script. */
export interface ScriptError {
  /** Name of the JavaScript error, or `TimeoutError` or `MemoryError` if the script exceeded its limits. */
  readonly name: string;
  readonly message: string;
  /** Stack lines in the script of the author. */
  readonly stack: readonly string[];
}

/** Outcome of a call, with its console messages: the payload after it, its error, or a payload that is too large. */
export type ScriptAnswer = { readonly messages: readonly ConsoleMessage[] } & (
  | {
      /** JSON of the payload; empty for `undefined`. Dates are texts of `DATE_MARK` and their milliseconds. */
      readonly json: string;
    }
  | { readonly error: ScriptError }
  | { readonly isTooLarge: true }
);

/**
 * Executes scripts of authors without access to anything but their payload. Calls are independent: no call sees what an
 * earlier one left in globals or built-in objects.
 */
export interface ScriptEngine {
  /** Maximum number of calls at a time. */
  readonly concurrency: number;
  /** Number of calls that run. */
  readonly running: number;
  /** Runs a script. Rejects if the engine failed, which affects no other call. */
  run(call: ScriptCall): Promise<ScriptAnswer>;
  /**
   * Runs a script at once in the calling thread, if scripts with this `key` are known to end soon. Otherwise, and if this
   * one does not, it returns nothing, and `run` must be called.
   *
   * @param callOf makes the call; not called if nothing can run
   */
  runNow?(key: string, callOf: () => ScriptCall): ScriptAnswer | undefined;
  /** Ends all running calls. */
  stop(): Promise<void>;
}

/** Limits of one call. */
export const LIMITS = {
  /** Maximum JSON of a payload, in bytes before the call and in characters after it. */
  payload: MAX_PAYLOAD_BYTES,
  /** Maximum time in milliseconds, for a small payload. */
  timeMs: 1_000,
  /** Maximum memory in bytes of the instance that runs the script. */
  memory: 64 * 1024 * 1024,
  /** Maximum number of console messages. */
  messages: 50,
  /** Maximum length of a console message or an error message. */
  text: 4_096,
  /** Maximum number of stack lines of an error. */
  stack: 20,
};

const JSON_CHARACTERS_PER_MS = 2_048;

/** Returns the time limit of a call. Reading and writing the JSON of a large payload takes time of its own. */
export const timeLimit = (timeMs: number, { text }: ScriptCall): number =>
  timeMs + Math.ceil(text.length / JSON_CHARACTERS_PER_MS);
