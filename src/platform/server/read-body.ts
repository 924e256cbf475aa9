import type { Request } from 'express';
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { PROTOTYPE_NAMES } from '../../lib/json/json.js';
import { PayloadTooLarge, UnsupportedMediaType, ValidationError } from '../../lib/errors/errors.js';
import { readBytes } from '../../lib/http/read-bytes.js';
import { tenantOf } from '../throttle/tenant.js';
import { BODY_SIZES, MAX_DEPTH, MAX_VALUES, type BodySize } from './body-sizes.js';

const JSON_TYPE = /^application\/json\s*(;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;
const BYTE_ORDER_MARK = '\ufeff';

/** Whether a request has a body, according to its head. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Reads the body of a request into `request.body`: JSON within limits, without values that are dangerous for
 * validators, the database or serializers. The body is not received until this is called.
 */
export async function readBody(request: Request, size: BodySize): Promise<void> {
  const type = request.headers['content-type'] ?? '';
  if (!JSON_TYPE.test(type)) throw new UnsupportedMediaType();
  const charset = CHARSET.exec(type)?.[1] ?? 'utf-8';
  if (charset.toLowerCase() !== 'utf-8')
    throw new UnsupportedMediaType('The character set of the body is not UTF-8');
  const { bytes, values } = BODY_SIZES[size];
  request.body = parsed(await readBytes(request, bytes, tenantOf(request)), values);
  inspect(request.body, undefined, values);
}

/**
 * Returns a copy of a value that is the body of a call in the process, as if it had been sent as JSON. Throws like
 * `readBody`.
 */
export function copyOfBody(body: unknown, size: BodySize): unknown {
  if (body === undefined) return undefined;
  const { bytes, values } = BODY_SIZES[size];
  inspect(body, undefined, values);
  const text = JSON.stringify(body);
  if (Buffer.byteLength(text) > bytes) throw new PayloadTooLarge();
  return JSON.parse(text) as unknown;
}

/** Parses JSON; returns `undefined` for empty text. Rejects text with too many values before parsing it. */
function parsed(body: Buffer, max: number): unknown {
  if (body.length === 0) return undefined;
  // Decoding would replace invalid bytes, so the stored text would differ from the text that was sent.
  if (!isUtf8(body)) throw new ValidationError('The body is not UTF-8');
  if (body.length > max && hasMoreValues(body, max)) throw new PayloadTooLarge(TOO_MANY_VALUES);
  const text = body.toString();
  try {
    return JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  } catch {
    throw new ValidationError('The body is not valid JSON');
  }
}

const TOO_MANY_VALUES = 'The body has too many values';
const [QUOTE, BACKSLASH, COMMA, LIST, OBJECT] = Buffer.from('"\\,[{');

/**
 * Returns whether JSON may contain more than `max` values. Counts commas and opening brackets, each of which adds at
 * most one value.
 */
export function hasMoreValues(text: Buffer, max: number): boolean {
  let left = max - 1;
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
 * Throws on more than 64 levels of nesting, keys that could modify prototypes, and numbers out of range. Also throws on
 * NUL characters and lone surrogates, which PostgreSQL cannot store. Iterative, so that a deep body cannot overflow the
 * stack. `where` names the inspected value, and `max` is the maximum number of values.
 */
export function inspect(body: unknown, where?: string, max = MAX_VALUES): void {
  let level: unknown[] = [body];
  let values = 1;
  const count = (more: number) => {
    values += more;
    if (values > max) throw new PayloadTooLarge(TOO_MANY_VALUES);
  };
  for (let depth = 0; level.length > 0; depth++) {
    const below: unknown[] = [];
    for (const value of level) {
      if (typeof value === 'string') inspectText(value, where);
      // JSON can contain 1e400, which is parsed as infinity and would be stored as null.
      if (value === Infinity || value === -Infinity)
        throw new ValidationError(`${where ?? 'The body'} contains a number that is too large`);
      if (typeof value !== 'object' || value === null) continue;
      if (depth === MAX_DEPTH)
        throw new PayloadTooLarge(`The body is nested more than ${MAX_DEPTH} levels deep`);
      // Counts the items before iterating, because a sparse list may be longer than the text that was sent.
      if (Array.isArray(value)) {
        count(value.length);
        for (const item of value) below.push(item);
      } else {
        const keys = Object.keys(value);
        count(keys.length);
        for (const key of keys) {
          if (PROTOTYPE_NAMES.has(key)) throw new ValidationError(`${key} is not a property of the body`);
          inspectText(key, where);
          below.push((value as Record<string, unknown>)[key]);
        }
      }
    }
    level = below;
  }
}

/** Throws on text that cannot be stored, because of NUL characters or lone surrogates. `where` names the text. */
export function inspectText(text: string, where = 'The body'): void {
  if (text.includes('\0')) throw new ValidationError(`${where} contains a NUL character`);
  if (!text.isWellFormed())
    throw new ValidationError(`${where} contains text that is not well-formed Unicode`);
}
