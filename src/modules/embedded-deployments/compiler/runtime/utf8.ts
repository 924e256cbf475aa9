/** The text of these bytes. What is no UTF-8 becomes U+FFFD, as browsers and Node decode it. */
export function decodeUtf8(start: usize, length: i32): string {
  return String.UTF8.decodeUnsafe(start, length);
}

/** How many bytes a text takes in UTF-8. A lone surrogate is written as U+FFFD. */
export function lengthInUtf8(text: string): i32 {
  return String.UTF8.byteLength(text);
}

/** Writes a text of UTF-8 there, where `lengthInUtf8` bytes must be free. Answers how many it wrote. */
export function encodeUtf8(text: string, start: usize): i32 {
  return <i32>String.UTF8.encodeUnsafe(changetype<usize>(text), text.length, start);
}
