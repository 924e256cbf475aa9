/** Non-ASCII characters, with the ASCII character they become when lowercased, uppercased or normalized. */
export const FOLDING: readonly (readonly [string, string])[] = [
  ['\u212a', 'k'],
  ['\u017f', 's'],
  ['\u0130', 'i'],
  ['\u0131', 'i'],
  ['\uff4b', 'k'],
  ['\uff2b', 'k'],
  ['\u2170', 'i'],
  ['\uff0d', '-'],
];

/** Returns variants of a text with one such character each; the text must contain a `k`, an `s`, an `i` and a `-`. */
export const unfolded = (text: string): string[] => FOLDING.map(([odd, plain]) => text.replace(plain, odd));
