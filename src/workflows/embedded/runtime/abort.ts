/** What ends the module where it cannot go on, such as without memory. */
export function abort(message: string | null, file: string | null, line: u32, column: u32): void {
  unreachable();
}
