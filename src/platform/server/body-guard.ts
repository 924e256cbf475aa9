import type { NextFunction, Request, Response } from 'express';
import { PayloadTooLarge, UnsupportedMediaType, ValidationError } from '../errors/errors.js';

const DEEPEST = 64;
const MOST_VALUES = 200_000;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** Refuses a body in a format that the API does not speak, before any of it is read. */
export function demandJson(request: Request, _response: Response, next: NextFunction): void {
  const { headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (hasBody && !request.is(['application/json', 'multipart/form-data'])) throw new UnsupportedMediaType();
  next();
}

/** Refuses parsed bodies that no validator, database or serializer should ever meet. */
export function guardBody(request: Request, _response: Response, next: NextFunction): void {
  if (request.body !== undefined) inspect(request.body);
  next();
}

/**
 * Throws on nesting deeper than 64, on keys that reach prototypes, on NUL characters and lone surrogates, which
 * PostgreSQL cannot hold. Iterative: a deep body must not end in a stack overflow.
 */
export function inspect(body: unknown): void {
  let level: unknown[] = [body];
  let values = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) throw new PayloadTooLarge(`The body is nested deeper than ${DEEPEST}`);
    const below: unknown[] = [];
    for (const value of level) {
      if (++values > MOST_VALUES) throw new PayloadTooLarge('The body has too many values');
      if (typeof value === 'string') inspectText(value);
      else if (Array.isArray(value)) for (const item of value) below.push(item);
      else if (typeof value === 'object' && value !== null) {
        for (const key of Object.keys(value)) {
          if (FORBIDDEN_KEYS.has(key)) throw new ValidationError(`${key} is not a property of the body`);
          inspectText(key);
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
