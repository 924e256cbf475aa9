import { parse } from '@handlebars/parser';
import { SyntaxFault } from '../syntax-fault.js';
import type { Dialect } from './dialect.js';
import { MAX_NESTING, mustacheEnd } from './mustache-end.js';
import type { Program } from './tree.js';

/** Maximum length of a template. The parser takes some microseconds for each character. */
export const MAX_TEMPLATE_LENGTH = 65_536;

/**
 * Parses a template to the tree of Handlebars. A brace can follow what the braces of a reference or helper close, as in
 * JSON: `{"n": {{add a 1}}}`. Handlebars itself reads three braces there. Throws a `SyntaxFault`.
 */
export function parseHandlebars(text: string, { maxLength, maxTokens }: Limits = {}): Program {
  checkTemplateLength(text, maxLength);
  try {
    const tree: unknown = parse(separated(text, endsOf(text, maxTokens)));
    return tree as Program;
  } catch (error) {
    throw syntaxFault(error as ParserError, text);
  }
}

/** Limits of a template. The number of tokens is only limited if it is given. */
type Limits = Pick<Dialect, 'maxLength' | 'maxTokens'>;

export function checkTemplateLength(text: string, max = MAX_TEMPLATE_LENGTH): void {
  if (text.length > max) throw new SyntaxFault(`must have at most ${max} characters`, max);
}

const OPENING = /\{\{~?[#^](?!\s*~?\}\})/y;
const CLOSING = /\{\{~?\//y;
const BRANCH = /\{\{~?\s*else\b(?!\s*~?\}\})/y;
const COMMENT = /\{\{~?!(?:--[^]*?--~?\}\}|[^]*?\}\})/y;

/** An empty comment, which separates closing braces from those of the text after them. */
const SEPARATOR = '{{!}}';

/** Inserts separators at positions. */
const separated = (text: string, ends: readonly number[]): string =>
  [0, ...ends].map((end, i) => text.slice(end, ends[i])).join(SEPARATOR);

/**
 * Returns the ends of references and helpers that a brace follows. Refuses deep nesting before it is parsed, because the
 * parser is recursive and takes quadratic time for it. Reads escapes, comments and quotes as the parser does, so that
 * nothing is hidden in them.
 */
function endsOf(text: string, maxTokens = Infinity): number[] {
  const ends: number[] = [];
  let tokens = 0;
  /** Branches of each open block. */
  const blocks: number[] = [];
  let nesting = 0;
  let next = 0;
  for (;;) {
    const at = text.indexOf('{{', next);
    if (at < 0) return ends;
    next = at + 2;
    if (text[at - 1] === '\\' && text[at - 2] !== '\\') continue;
    if (text.startsWith('{{{{', at)) throw new SyntaxFault('cannot contain raw blocks', at);
    if (isAt(OPENING, text, at)) {
      blocks.push(1);
      nesting++;
    } else if (isAt(CLOSING, text, at)) nesting -= blocks.pop() ?? 0;
    else if (isAt(BRANCH, text, at) && blocks.length > 0) {
      blocks.push(blocks.pop()! + 1);
      nesting++;
    }
    if (nesting > MAX_NESTING) throw new SyntaxFault(`nests more than ${MAX_NESTING} blocks or branches`, at);
    const end = isAt(COMMENT, text, at) ? COMMENT.lastIndex : mustacheEnd(text, at);
    if (end === undefined) return ends;
    if (maxTokens < Infinity && (tokens += tokensOf(text.slice(at, end))) > maxTokens)
      throw new SyntaxFault(`has more than ${maxTokens} names and signs in its braces`, at);
    if (text[end] === '}') ends.push(end);
    next = end;
  }
}

/** Names and signs, each of which the parser reads as a token, and the text before the braces. */
const TOKEN = /[^\s.()=|/]+|[.()=|/]/g;
const tokensOf = (mustache: string): number => 1 + (mustache.match(TOKEN)?.length ?? 0);

/** Returns whether a sticky pattern matches at a position. */
function isAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** Errors of the parser: of tokens with `hash`, of the tree with a line. */
interface ParserError extends Error {
  readonly hash?: {
    readonly text: string;
    readonly token: string | null;
    readonly line: number;
    readonly loc?: { readonly last_line: number; readonly last_column: number };
  };
  readonly lineNumber?: number;
  readonly column?: number;
}

function syntaxFault(error: ParserError, text: string): Error {
  if (error.hash) {
    const { token, loc, line } = error.hash;
    const index = loc ? indexOf(text, loc.last_line, loc.last_column) : indexOf(text, line + 1, 0);
    if (token === 'EOF')
      return new SyntaxFault('ends before a block, reference or helper is closed', text.length);
    return new SyntaxFault(
      token === null ? 'has unexpected characters' : `has an unexpected ${JSON.stringify(error.hash.text)}`,
      index,
    );
  }
  if (error.lineNumber === undefined) return error;
  const reason = error.message.replace(/ - \d+:\d+$/, '');
  return new SyntaxFault(
    `is not a valid template: ${reason}`,
    indexOf(text, error.lineNumber, error.column ?? 0),
  );
}

/** Returns the index of a character by its line, counted from 1, and its column, as the parser has read them. */
export function indexOf(text: string, line: number, column: number): number {
  const ends = endsOf(text);
  const read = separated(text, ends);
  let start = 0;
  for (let i = 1; i < line; i++) {
    const next = read.indexOf('\n', start);
    if (next < 0) break;
    start = next + 1;
  }
  const index = ends.reduce(
    (at, end) => (at > end ? Math.max(end, at - SEPARATOR.length) : at),
    start + column,
  );
  return Math.min(index, text.length);
}
