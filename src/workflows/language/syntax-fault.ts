/** Syntax error, with the position of the character. The message follows the name of the text. */
export class SyntaxFault extends Error {
  override readonly name = 'SyntaxFault';

  constructor(
    readonly reason: string,
    readonly index: number,
  ) {
    super(`${reason} (at character ${index + 1})`);
  }
}

/** Calls `parse` for a part of a text that starts at `index`, and adjusts the position of errors. */
export function parsedWithin<T>(index: number, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof SyntaxFault ? new SyntaxFault(error.reason, index + error.index) : error;
  }
}

/** Maximum length of a text to parse. */
const LONGEST_TEXT = 32_767;

export function checkLength(text: string): void {
  if (text.length > LONGEST_TEXT)
    throw new SyntaxFault(`must have at most ${LONGEST_TEXT} characters`, LONGEST_TEXT);
}
