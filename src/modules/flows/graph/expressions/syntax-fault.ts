/** Why a text does not parse, and at which of its characters, in words that follow the text's name. */
export class SyntaxFault extends Error {
  override readonly name = 'SyntaxFault';

  constructor(
    reason: string,
    readonly index: number,
  ) {
    super(`${reason} (at character ${index + 1})`);
  }
}

/** The longest text that is parsed. */
const LONGEST_TEXT = 32_767;

export function checkLength(text: string): void {
  if (text.length > LONGEST_TEXT)
    throw new SyntaxFault(`must have at most ${LONGEST_TEXT} characters`, LONGEST_TEXT);
}
