/** Returns the text of UTF-8 in a string with a character for each byte. */
export function decode(bytes: string, start = 0, end = bytes.length): string {
  const part = bytes.substring(start, end);
  return /[\x80-\xff]/.test(part) ? Buffer.from(part, 'latin1').toString() : part;
}
