import { json, type NextFunction, type Request, type Response } from 'express';
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyParserError } from '../errors/error.filter.js';
import { PayloadTooLarge, UnsupportedMediaType, ValidationError } from '../errors/errors.js';

/** How large a body may be, and of how many values. */
const USUAL = { limit: '1mb', values: 200_000 };
const LARGE = { limit: '10mb', values: 2_000_000 };
/** What takes many resources at once, and so a large body. */
const LARGE_PATH = /^\/applications\/[^/]+\/flows\/import\/?$/;
const DEEPEST = 64;
/** Whoever calls a webhook sends what they like; its handler reads that. */
const WEBHOOKS = /^\/webhooks\//i;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

const parserOf = (limit: string) =>
  json({ limit, strict: false, type: 'application/json', verify: demandUtf8 });
const parseUsual = parserOf(USUAL.limit);
const parseLarge = parserOf(LARGE.limit);

/**
 * Reads a request's body, if it has one: JSON within bounds, without what no validator, database or serializer should
 * ever meet. Uploads, and what is sent to webhooks, are left for the handler that takes them.
 */
export function readBody(request: Request, response: Response, next: NextFunction): void {
  const { headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody || WEBHOOKS.test(request.path)) return next();
  if (!request.is(['application/json', 'multipart/form-data'])) throw new UnsupportedMediaType();
  const isLarge = LARGE_PATH.test(request.path);
  (isLarge ? parseLarge : parseUsual)(request, response, (error?: unknown) => {
    // The parser's errors carry the engine's own words; callers get the platform's.
    if (error) return next(bodyParserError(error) ?? error);
    try {
      inspect(request.body, undefined, (isLarge ? LARGE : USUAL).values);
    } catch (refused) {
      return next(refused);
    }
    next();
  });
}

/** Refuses bytes that are no UTF-8: they would be stored as something else than what was sent. */
function demandUtf8(
  _request: IncomingMessage,
  _response: ServerResponse,
  body: Buffer,
  charset: string,
): void {
  if (charset !== 'utf-8')
    throw Object.assign(new Error(`${charset} is not read`), { type: 'charset.unsupported' });
  if (!isUtf8(body)) throw new Error('The body is not UTF-8');
}

/**
 * Throws on nesting deeper than 64, on keys that reach prototypes, on numbers beyond those that there are, on NUL characters
 * and lone surrogates, which PostgreSQL cannot hold. Iterative: a deep body must not end in a stack overflow. `where` names what is inspected, and
 * there may be `most` values.
 */
export function inspect(body: unknown, where?: string, most = USUAL.values): void {
  let level: unknown[] = [body];
  let values = 1;
  const count = (more: number) => {
    values += more;
    if (values > most) throw new PayloadTooLarge('The body has too many values');
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
