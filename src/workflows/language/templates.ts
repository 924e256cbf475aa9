import { MAX_JSON_DEPTH, isTooDeep } from './json-depth.js';
import { readReference, type Path } from './paths.js';
import { checkLength, SyntaxFault } from './syntax-fault.js';

/** A template: literal texts, and paths of references. */
export type TextTemplate = readonly (string | Path)[];

/** A template of JSON. A reference inside quotes is part of a JSON string; any other reference is a value. */
export type JsonTemplate = readonly (string | JsonReference)[];

export interface JsonReference {
  readonly path: Path;
  readonly isQuoted: boolean;
}

/** Maximum number of references in a template. */
const MAX_REFERENCES = 250;

/**
 * Parses a template: `Pump {{data.name}} is {{data.state.[0]}}`. Three braces are equivalent to two, because nothing is
 * escaped. `\{{` yields two braces, `\\{{` a backslash and a reference. Rejects helpers and blocks, which devices do
 * not support.
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
    if (++references > MAX_REFERENCES)
      throw new SyntaxFault(`can contain at most ${MAX_REFERENCES} references`, open);
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

/** Parses the reference whose braces start at a position; returns its path and its end. */
export function parseReference(text: string, open: number): { path: Path; end: number } {
  const braces = text.startsWith('{{{', open) ? 3 : 2;
  let from = open + braces;
  while (/\s/.test(text[from] ?? '')) from++;
  if (/[#/^>!&~*]/.test(text[from] ?? ''))
    throw new SyntaxFault('can contain references such as {{data.value}}, but no blocks', open);
  const { path, end } = readReference(text, from);
  let close = end;
  while (/\s/.test(text[close] ?? '')) close++;
  if (text.startsWith('}'.repeat(braces), close)) return { path, end: close + braces };
  if (!text.includes('}'.repeat(braces), close))
    throw new SyntaxFault(`has a reference that is not closed with ${'}'.repeat(braces)}`, open);
  throw new SyntaxFault('can contain references such as {{data.value}}, but no helpers', open);
}

/**
 * Parses a template of JSON: `{ "name": "{{data.name}}", "rows": {{data.rows}} }`. The result must be JSON for any
 * values, so references are only allowed in place of values or inside strings.
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
  if (isTooDeep(value.json)) throw new SyntaxFault(`is nested more than ${MAX_JSON_DEPTH} levels deep`, 0);
  return parts;
}

/** Returns whether a part of a JSON text ends inside a string, given whether it starts inside one. */
function endsQuoted(part: string, isQuoted: boolean): boolean {
  for (let i = 0; i < part.length; i++) {
    if (part[i] === '"') isQuoted = !isQuoted;
    else if (part[i] === '\\' && isQuoted) i++;
  }
  return isQuoted;
}

/** Parses JSON; returns `undefined` if the text is invalid. */
function jsonOf(text: string): { json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Parses a template of a number: a number, or references together with parts of a number. */
export function parseNumberTemplate(text: string): TextTemplate {
  const parts = parseTextTemplate(text);
  const isNumber = text.trim() !== '' && Number.isFinite(Number(text));
  if (!isNumber && parts.every((part) => typeof part === 'string'))
    throw new SyntaxFault('must be a number, or a template for one', 0);
  return parts;
}
