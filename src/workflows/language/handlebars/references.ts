import { printed, valueAt } from '../evaluate.js';
import { readReference, type Path } from '../paths.js';
import { SyntaxFault } from '../syntax-fault.js';
import { written } from './budget.js';
import type { Dialect } from './dialect.js';
import { checkTemplateLength } from './parse.js';
import { escaped } from './safe-text.js';

/** A reference in a template; two braces escape its text. */
interface Reference {
  readonly path: Path;
  readonly escapes: boolean;
}

/** Parts of a template without helpers and blocks, which most are. */
type Parts = readonly (string | Reference)[];

/** First names that are keywords, or a `this` that the parser knows. */
const KEYWORD = /^(?:this|else|as|true|false|null|undefined|-?\d.*)$/;

/**
 * Parses a template that has only references, faster than the parser of Handlebars does. Returns `undefined` for a
 * template with anything else, also for one with errors.
 */
export function parseReferences(text: string, dialect: Dialect): Parts | undefined {
  checkTemplateLength(text, dialect.maxLength);
  if (text.includes('\\{{')) return undefined;
  const parts: (string | Reference)[] = [];
  let at = 0;
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', at)) {
    const found = readBraces(text, open, dialect);
    if (!found) return undefined;
    if (open > at) parts.push(text.slice(at, open));
    parts.push(found.reference);
    at = found.end;
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}

function readBraces(
  text: string,
  open: number,
  dialect: Dialect,
): { reference: Reference; end: number } | undefined {
  const braces = text.startsWith('{{{', open) ? 3 : 2;
  const from = afterSpace(text, open + braces);
  const found = pathAt(text, from);
  if (!found) return undefined;
  const close = afterSpace(text, found.end);
  const [first, ...others] = found.path;
  const isPlain =
    text.startsWith('}'.repeat(braces), close) &&
    !text.slice(from, found.end).includes('\\') &&
    !others.includes('this') &&
    (text[from] === '[' || first === undefined || !KEYWORD.test(first)) &&
    (others.length > 0 || first === undefined || !dialect.bare.has(first));
  return isPlain
    ? { reference: { path: found.path, escapes: braces === 2 }, end: close + braces }
    : undefined;
}

function pathAt(text: string, from: number): { path: Path; end: number } | undefined {
  try {
    return readReference(text, from);
  } catch (error) {
    if (error instanceof SyntaxFault) return undefined;
    throw error;
  }
}

const SPACE = /\s*/y;

function afterSpace(text: string, from: number): number {
  SPACE.lastIndex = from;
  SPACE.test(text);
  return SPACE.lastIndex;
}

/** Renders the parts of a template. */
export function renderReferences(parts: Parts, payload: unknown): string {
  let text = '';
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!;
    text += written(typeof part === 'string' ? part : shown(valueAt(part.path, payload), part.escapes));
  }
  return text;
}

/** Numbers contain nothing to be escaped. */
function shown(value: unknown, escapes: boolean): string {
  if (typeof value === 'number') return String(value);
  return escapes ? escaped(printed(value)) : printed(value);
}
