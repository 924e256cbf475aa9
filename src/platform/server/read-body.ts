import type { Request } from 'express';
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { PayloadTooLarge, UnsupportedMediaType, ValidationError } from '../../lib/errors/errors.js';
import { readBytes } from '../../lib/http/read-bytes.js';

const KIB = 1024;
/** As many values take a parser a twentieth of a second, and everybody waits meanwhile. */
const MOST_VALUES = 200_000;
const DEEPEST = 64;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** How many bytes a body may have, and how many values. */
const SIZES = {
  /** From somebody unknown. An identity provider's answer, which has up to 100,000 characters, is the largest. */
  small: { bytes: 128 * KIB, values: MOST_VALUES },
  usual: { bytes: KIB * KIB, values: MOST_VALUES },
  /** For what takes many resources at once. */
  large: { bytes: 10 * KIB * KIB, values: 500_000 },
};
export type BodySize = keyof typeof SIZES;

const JSON_TYPE = /^application\/json\s*(;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;
const BYTE_ORDER_MARK = '\ufeff';

/** Whether a request comes with a body, by its head. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Reads a request's body into `request.body`: JSON within bounds, without what no validator, database or serializer should
 * ever meet. Until it is called, the body waits where it is.
 */
export async function readBody(request: Request, size: BodySize): Promise<void> {
  const type = request.headers['content-type'] ?? '';
  if (!JSON_TYPE.test(type)) throw new UnsupportedMediaType();
  const charset = CHARSET.exec(type)?.[1] ?? 'utf-8';
  if (charset.toLowerCase() !== 'utf-8')
    throw new UnsupportedMediaType('The character set of the body is not UTF-8');
  const { bytes, values } = SIZES[size];
  request.body = parsed(await readBytes(request, bytes), values);
  inspect(request.body, undefined, values);
}

/** The value of JSON; nothing where there is no text. What has too many values is not parsed. */
function parsed(body: Buffer, most: number): unknown {
  if (body.length === 0) return undefined;
  // As text they would be stored as something else than what was sent.
  if (!isUtf8(body)) throw new ValidationError('The body is not UTF-8');
  if (body.length > most && hasMoreValues(body, most)) throw new PayloadTooLarge(TOO_MANY);
  const text = body.toString();
  try {
    return JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  } catch {
    throw new ValidationError('The body is not valid JSON');
  }
}

const TOO_MANY = 'The body has too many values';
const [QUOTE, BACKSLASH, COMMA, LIST, OBJECT] = Buffer.from('"\\,[{');

/** Whether JSON may hold more than `most` values: it counts commas and openings, of which each brings one at the most. */
export function hasMoreValues(text: Buffer, most: number): boolean {
  let left = most - 1;
  let quoted = false;
  for (let at = 0; at < text.length && left >= 0; at++) {
    const byte = text[at];
    if (quoted) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) quoted = false;
    } else if (byte === QUOTE) quoted = true;
    else if (byte === COMMA || byte === LIST || byte === OBJECT) left--;
  }
  return left < 0;
}

/**
 * Throws on nesting deeper than 64, on keys that reach prototypes, on numbers beyond those that there are, on NUL characters
 * and lone surrogates, which PostgreSQL cannot hold. Iterative: a deep body must not end in a stack overflow. `where` names what is inspected, and
 * there may be `most` values.
 */
export function inspect(body: unknown, where?: string, most = MOST_VALUES): void {
  let level: unknown[] = [body];
  let values = 1;
  const count = (more: number) => {
    values += more;
    if (values > most) throw new PayloadTooLarge(TOO_MANY);
  };
  for (let depth = 0; level.length > 0; depth++) {
    const below: unknown[] = [];
    for (const value of level) {
      if (typeof value === 'string') inspectText(value, where);
      // JSON may hold 1e400, which is read as infinite and would be stored as null.
      if (value === Infinity || value === -Infinity)
        throw new ValidationError(`${where ?? 'The body'} holds a number that is too large`);
      if (typeof value !== 'object' || value === null) continue;
      if (depth === DEEPEST) throw new PayloadTooLarge(`The body is nested deeper than ${DEEPEST}`);
      // Counted before it is walked: a list may be longer than what was sent.
      if (Array.isArray(value)) {
        count(value.length);
        for (const item of value) below.push(item);
      } else {
        const keys = Object.keys(value);
        count(keys.length);
        for (const key of keys) {
          if (FORBIDDEN_KEYS.has(key)) throw new ValidationError(`${key} is not a property of the body`);
          inspectText(key, where);
          below.push((value as Record<string, unknown>)[key]);
        }
      }
    }
    level = below;
  }
}

/** Throws on text that cannot be stored: NUL characters and halves of surrogate pairs. `where` names it. */
export function inspectText(text: string, where = 'The body'): void {
  if (text.includes('\0')) throw new ValidationError(`${where} holds a NUL character`);
  if (!text.isWellFormed()) throw new ValidationError(`${where} holds text that is not well-formed Unicode`);
}
