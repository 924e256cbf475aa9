import { Lexer } from 'yaml';
import { ValidationError } from '../../lib/errors/errors.js';

/** Maximum number of tokens for each value: a key, its colon, the value, and a comma. */
const TOKENS_PER_VALUE = 4;
const TEXT_FOLLOWS = '\u001f';
/** Spaces, line breaks, comments, byte order mark, and the markers of the lexer itself. */
const SKIPPED = new Set([' ', '\t', '\n', '\r', '#', '\ufeff', '\u0002', '\u0018']);

/** Limits of a YAML text. */
export interface YamlBounds {
  values: number;
  aliases: number;
  depth: number;
}

/**
 * Counts the tokens of a YAML text before it is parsed, because the parser needs a kilobyte of memory and several
 * microseconds for each. Throws a `400` error for a text that must exceed a bound. Reads no further than the bound.
 * Nesting by indentation is not counted: its depth is bounded by the length of the text.
 */
export function assertTokens(text: string, at: string, { values, aliases, depth }: YamlBounds): void {
  let tokens = 0;
  let references = 0;
  let open = 0;
  let indicators = 0;
  let isText = false;
  for (const lexeme of new Lexer().lex(text)) {
    const [first = ''] = lexeme;
    if (isText) {
      isText = false;
      continue;
    }
    if (lexeme === TEXT_FOLLOWS) isText = true;
    else if (first === '\n' || first === '\r') indicators = 0;
    if (SKIPPED.has(first)) continue;
    if (++tokens > values * TOKENS_PER_VALUE) throw new ValidationError(`${at} has too many values`);
    if (first === '*' && ++references > aliases) throw new ValidationError(`${at} has too many aliases`);
    if (first === '[' || first === '{') open += 1;
    else if (first === ']' || first === '}') open -= 1;
    else if (open === 0 && (first === '-' || first === '?' || first === ':')) indicators += 1;
    if (open + indicators > depth) throw new ValidationError(`${at} is nested too deeply`);
  }
}
