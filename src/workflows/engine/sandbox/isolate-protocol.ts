import type { GuestSettings } from './guest.js';
import type { ScriptAnswer } from './script-engine.js';

/** What a process of isolates receives at its start. */
export interface IsolateOptions {
  readonly settings: GuestSettings;
  /** Time limit of a call with a small payload, in milliseconds. */
  readonly timeMs: number;
}

/** Exit code of a process whose isolate ran out of memory in a way that V8 does not survive. */
export const OUT_OF_MEMORY_CODE = 42;

/** Message of a process: it is ready for calls, or the answer to its only call. */
export type IsolateMessage = 'ready' | ScriptAnswer;
