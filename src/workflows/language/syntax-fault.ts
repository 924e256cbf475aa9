/** Why a text does not parse, and at which of its characters, in words that follow the text's name. */
export class SyntaxFault extends Error {
  override readonly name = 'SyntaxFault';

  constructor(
    readonly reason: string,
    readonly index: number,
  ) {
    super(`${reason} (at character ${index + 1})`);
  }
}

/** What `parse` answers, where it parses what stands in another text from `index` on. */
export function parsedWithin<T>(index: number, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof SyntaxFault ? new SyntaxFault(error.reason, index + error.index) : error;
  }
}

/** The longest text that is parsed. */
const LONGEST_TEXT = 32_767;

export function checkLength(text: string): void {
  if (text.length > LONGEST_TEXT)
    throw new SyntaxFault(`must have at most ${LONGEST_TEXT} characters`, LONGEST_TEXT);
}
