import { DEEPEST_JSON, isTooDeep } from './json-depth.js';
import { readReference, type Path } from './paths.js';
import { checkLength, SyntaxFault } from './syntax-fault.js';

/** A template: what stands between references as it is, and the paths of references. */
export type TextTemplate = readonly (string | Path)[];

/** A template for JSON: a reference between quotes is part of a JSON string, any other is a value. */
export type JsonTemplate = readonly (string | JsonReference)[];

export interface JsonReference {
  readonly path: Path;
  readonly isQuoted: boolean;
}

/** How many references a template may have. */
const MOST_REFERENCES = 250;

/**
 * The template that a text is: `Pump {{data.name}} is {{data.state.[0]}}`. Three braces are as good as two, since nothing
 * is escaped, and `\{{` is two braces, `\\{{` a backslash before a reference. Helpers and blocks are refused: devices have none.
 */
export function parseTextTemplate(text: string): TextTemplate {
  checkLength(text);
  const parts: (string | Path)[] = [];
  let written = '';
  let references = 0;
  let at = 0;
  for (;;) {
    const open = text.indexOf('{{', at);
    if (open < 0) break;
    const escapes = text.slice(Math.max(at, open - 2), open);
    if (escapes.endsWith('\\') && escapes !== '\\\\') {
      written += text.slice(at, open - 1) + '{{';
      at = open + 2;
      continue;
    }
    if (++references > MOST_REFERENCES)
      throw new SyntaxFault(`may have at most ${MOST_REFERENCES} references`, open);
    const { path, end } = parseReference(text, open);
    written += text.slice(at, escapes === '\\\\' ? open - 1 : open);
    if (written !== '') parts.push(written);
    parts.push(path);
    written = '';
    at = end;
  }
  written += text.slice(at);
  if (written !== '') parts.push(written);
  return parts;
}

/** The path of the reference whose braces begin here, and where they end. */
export function parseReference(text: string, open: number): { path: Path; end: number } {
  const braces = text.startsWith('{{{', open) ? 3 : 2;
  let from = open + braces;
  while (/\s/.test(text[from] ?? '')) from++;
  if (/[#/^>!&~*]/.test(text[from] ?? ''))
    throw new SyntaxFault('may have references such as {{data.value}}, but no blocks', open);
  const { path, end } = readReference(text, from);
  let close = end;
  while (/\s/.test(text[close] ?? '')) close++;
  if (text.startsWith('}'.repeat(braces), close)) return { path, end: close + braces };
  if (!text.includes('}'.repeat(braces), close))
    throw new SyntaxFault(`has a reference that is not closed with ${'}'.repeat(braces)}`, open);
  throw new SyntaxFault('may have references such as {{data.value}}, but no helpers', open);
}

/**
 * The template for JSON that a text is: `{ "name": "{{data.name}}", "rows": {{data.rows}} }`. What it yields for any
 * value must be JSON: a reference stands where a value, or a part of a string, may stand.
 */
export function parseJsonTemplate(text: string): JsonTemplate {
  let isQuoted = false;
  const parts = parseTextTemplate(text).map((part) => {
    if (typeof part !== 'string') return { path: part, isQuoted };
    isQuoted = endsQuoted(part, isQuoted);
    return part;
  });
  const filled = (value: string): string =>
    parts.map((part) => (typeof part === 'string' ? part : part.isQuoted ? '' : value)).join('');
  const value = jsonOf(filled('0')) ?? jsonOf(filled('""'));
  if (!value) throw new SyntaxFault('must be JSON once its references are replaced', 0);
  if (isTooDeep(value.json)) throw new SyntaxFault(`is nested more than ${DEEPEST_JSON} deep`, 0);
  return parts;
}

/** Whether a part of a JSON text ends within a string, when it begins within one or not. */
function endsQuoted(part: string, isQuoted: boolean): boolean {
  for (let i = 0; i < part.length; i++) {
    if (part[i] === '"') isQuoted = !isQuoted;
    else if (part[i] === '\\' && isQuoted) i++;
  }
  return isQuoted;
}

/** What JSON says; nothing where a text is none. */
function jsonOf(text: string): { json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** The template for a number that a text is: a number, or references with whatever makes one of them. */
export function parseNumberTemplate(text: string): TextTemplate {
  const parts = parseTextTemplate(text);
  const isNumber = text.trim() !== '' && Number.isFinite(Number(text));
  if (!isNumber && parts.every((part) => typeof part === 'string'))
    throw new SyntaxFault('must be a number, or a template for one', 0);
  return parts;
}
