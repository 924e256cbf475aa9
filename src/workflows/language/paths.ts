import { SyntaxFault } from './syntax-fault.js';

/** Names that lead to a place in a payload; an empty path is the payload itself. */
export type Path = readonly string[];

const MAX_NAMES = 100;
/** Characters that end a name without brackets. */
const DELIMITER = /[.[\]{}]/;
/**
 * Characters that a name without brackets cannot contain in a template, because they start a helper or its arguments.
 */
const SPECIAL = /[\s!"#%&'()*+,/;<=>@\\^`|~]/;

/**
 * Parses a path: names separated by dots, such as `data.rows.[0].[a name]`, or `.` for the payload as a whole. Names in
 * brackets can contain any character except the closing bracket.
 */
export function parsePath(text: string): Path {
  const from = text.length - text.trimStart().length;
  const { path, end } = readPath(text, from);
  if (text.slice(end).trim() !== '') throw new SyntaxFault('is not a path into the payload', end);
  return path;
}

/** Parses the path of a reference in a template at a position; returns the path and its end. */
export function readReference(text: string, from: number): { path: Path; end: number } {
  return readPath(text, from, SPECIAL);
}

function readPath(text: string, from: number, special?: RegExp): { path: Path; end: number } {
  if (text[from] === '.' && !isName(text[from + 1], special)) return { path: [], end: from + 1 };
  const path: string[] = [];
  let at = from;
  for (;;) {
    const end = text[at] === '[' ? text.indexOf(']', at) : endOfName(text, at, special);
    if (end < 0) throw new SyntaxFault('has a bracket that is not closed', at);
    if (end === at) throw new SyntaxFault('is not a path into the payload: a name is missing', at);
    if (path.length === MAX_NAMES) throw new SyntaxFault(`has a path of more than ${MAX_NAMES} names`, at);
    path.push(text[at] === '[' ? text.slice(at + 1, end) : text.slice(at, end));
    at = text[at] === '[' ? end + 1 : end;
    if (text[at] !== '.') return { path, end: at };
    at++;
  }
}

function endOfName(text: string, from: number, special?: RegExp): number {
  let at = from;
  while (isName(text[at], special)) at++;
  return special ? at : from + text.slice(from, at).trimEnd().length;
}

function isName(character: string | undefined, special?: RegExp): boolean {
  return character !== undefined && !DELIMITER.test(character) && !special?.test(character);
}
