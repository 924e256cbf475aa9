/** Characters that are not ASCII, and become these once they are lower-cased, upper-cased or normalized. */
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

/** Forms of a text in which a letter is one that folds into it; the text has a `k`, an `s`, an `i` and a `-`. */
export const unfolded = (text: string): string[] => FOLDING.map(([odd, plain]) => text.replace(plain, odd));
