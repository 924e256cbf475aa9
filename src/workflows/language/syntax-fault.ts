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
export function parseWith<T>(index: number, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof SyntaxFault ? new SyntaxFault(error.reason, index + error.index) : error;
  }
}

/** Maximum length of a text to parse. */
const MAX_TEXT_LENGTH = 32_767;

export function checkLength(text: string): void {
  if (text.length > MAX_TEXT_LENGTH)
    throw new SyntaxFault(`must have at most ${MAX_TEXT_LENGTH} characters`, MAX_TEXT_LENGTH);
}
