import { TRACE_LEVEL } from './bundle';
import { eea_trace } from './env';
import { encodedUtf8 } from './messages';

export const ERRORS: i32 = 1;
export const EVERYTHING: i32 = 2;

let level: i32 = 0;

/** Sets the trace level, limited to the level that the module was compiled with. */
export function setTraceLevel(wanted: i32): void {
  level = min(wanted, TRACE_LEVEL);
}

/** Checks whether this level is traced; called before the text is built. */
export function traces(severity: i32): bool {
  return severity <= TRACE_LEVEL && severity <= level;
}

export function trace(severity: i32, text: string): void {
  if (!traces(severity)) return;
  const bytes = encodedUtf8(text);
  eea_trace(changetype<usize>(bytes), bytes.length, severity);
}
