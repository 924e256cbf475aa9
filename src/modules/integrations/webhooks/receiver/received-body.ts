import type { Request } from 'express';
import { MIMEType } from 'node:util';
import qs from 'qs';
import { PayloadTooLarge, UnsupportedMediaType, ValidationError } from '../../../../lib/errors/errors.js';
import { inspect } from '../../../../platform/server/read-body.js';
import type { Webhook } from '../webhook.resource.js';
import { partsOf } from '../../../../lib/http/multipart.js';

const MAX_FIELDS = 1_000;
/**
 * Keeps fields named like properties of objects, such as `__proto__`, so that they are rejected below instead of
 * dropped.
 */
const FORM = { depth: 5, arrayLimit: 100, parameterLimit: MAX_FIELDS, plainObjects: true };

type Casts = Pick<Webhook, 'castBuffersAs' | 'annotateMultipart'>;

/**
 * Parses a body according to its content type: JSON and forms to values, text to a string, and other types to bytes in
 * the encoding of the webhook. Returns `null` for an empty body.
 */
export async function readBodyOf(request: Request, body: Buffer, webhook: Casts): Promise<unknown> {
  if (body.length === 0) return null;
  if (request.is(['json', '+json'])) return inspected(parseJson(textOf(request, body)));
  if (request.is('urlencoded')) return inspected(parseForm(textOf(request, body)));
  if (request.is('multipart/form-data')) return readParts(request, body, webhook);
  if (request.is(['text/*', 'xml', '+xml', 'application/javascript'])) return textOf(request, body);
  return cast(body, webhook);
}

function inspected(value: unknown): unknown {
  inspect(value);
  return value;
}

function parseForm(text: string): unknown {
  assertFieldCount(text);
  return qs.parse(text, FORM);
}

/** Throws `413` if a form exceeds the maximum number of fields, because the parser would silently drop the others. */
export function assertFieldCount(text: string): void {
  if (text.split('&', MAX_FIELDS + 1).length > MAX_FIELDS)
    throw new PayloadTooLarge(`The body has more than ${MAX_FIELDS} fields`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ValidationError('The body is not valid JSON');
  }
}

/** Decodes the body with the character set of the request. Defaults to UTF-8. */
function textOf(request: Request, body: Buffer): string {
  try {
    const charset = new MIMEType(request.headers['content-type'] ?? '').params.get('charset');
    return new TextDecoder(charset ?? 'utf-8').decode(body);
  } catch {
    throw new UnsupportedMediaType('The character set of the body is not supported');
  }
}

/** Returns bytes in the encoding of the webhook. */
export function cast(bytes: Buffer, { castBuffersAs = 'base64' }: Casts): unknown {
  return castBuffersAs === 'array' ? [...bytes] : bytes.toString(castBuffersAs as BufferEncoding);
}

/** Returns the parts of a form by name, as an array if several have the same name. */
async function readParts(
  { headers }: Request,
  body: Buffer,
  webhook: Casts,
): Promise<Record<string, unknown>> {
  const parts = await partsOf(headers['content-type']!, body, MAX_FIELDS);
  const byName = new Map<string, unknown[]>();
  for (const { name, fileName, contentType, content } of parts) {
    inspect({ [name]: typeof content === 'string' ? content : null });
    const value = typeof content === 'string' ? content : cast(content, webhook);
    const annotated = typeof content === 'string' ? { value } : { fileName, contentType, value };
    const same = byName.get(name) ?? [];
    same.push(webhook.annotateMultipart ? annotated : value);
    byName.set(name, same);
  }
  return Object.fromEntries(
    [...byName].map(([name, values]) => [name, values.length > 1 ? values : values[0]]),
  );
}
