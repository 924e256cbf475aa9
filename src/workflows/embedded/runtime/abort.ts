/** Ends the module if it cannot continue, for example without memory. */
export function abort(message: string | null, file: string | null, line: u32, column: u32): void {
  unreachable();
}
