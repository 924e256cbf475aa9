import { SyntaxFault } from './syntax-fault.js';

/** The names that lead to a place in a payload; none lead to the payload itself. */
export type Path = readonly string[];

const MOST_NAMES = 100;
/** What ends a name that stands without brackets. */
const ENDS = /[.[\]{}]/;
/** What no name has without brackets where a path stands in a template: there it begins a helper, or its parts. */
const SPECIAL = /[\s!"#%&'()*+,/;<=>@\\^`|~]/;

/**
 * The path that a text is: names with dots between, as in `data.rows.[0].[a name]`, and `.` for the whole payload. What
 * stands in brackets may have any character but the closing one.
 */
export function parsePath(text: string): Path {
  const from = text.length - text.trimStart().length;
  const { path, end } = readPath(text, from);
  if (text.slice(end).trim() !== '') throw new SyntaxFault('is no path into the payload', end);
  return path;
}

/** The path of a reference in a template, which begins here, and where it ends. */
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
    if (end === at) throw new SyntaxFault('is no path into the payload: a name is missing', at);
    if (path.length === MOST_NAMES) throw new SyntaxFault(`has a path of more than ${MOST_NAMES} names`, at);
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
  return character !== undefined && !ENDS.test(character) && !special?.test(character);
}
