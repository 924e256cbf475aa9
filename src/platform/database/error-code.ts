/** Returns PostgreSQL's five-character code of an error, or an empty string. */
export function errorCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}
