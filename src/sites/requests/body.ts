import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import qs from 'qs';
import { ApiError, PayloadTooLarge } from '../../lib/errors/errors.js';
import { partsOf } from '../../lib/http/multipart.js';
import { readBytes } from '../../lib/http/read-bytes.js';
import { hasBody, inspect } from '../../platform/server/read-body.js';
import { networkOf } from '../../platform/throttle/network.js';

/** Maximum size of a body in bytes. */
const MAX_BYTES = 256 * 1024;
const MAX_FIELDS = 1_000;
const NESTED = { depth: 5, arrayLimit: 100, parameterLimit: MAX_FIELDS } as const;
/** Names like `__proto__` are kept, so that they are rejected instead of dropped. */
const FORM = { ...NESTED, plainObjects: true };

/** A body as workflows receive it, and its size in bytes. */
export interface ReceivedBody {
  readonly value: unknown;
  readonly bytes: number;
}

const NO_BODY: ReceivedBody = { value: null, bytes: 0 };

/** Returns how large the body of a request can become, by its head. */
export function announcedBytes(request: IncomingMessage): number {
  if (!hasBody(request)) return 0;
  const { 'content-length': length, 'content-encoding': encoding } = request.headers;
  return length === undefined || encoding !== undefined ? MAX_BYTES : Math.min(Number(length), MAX_BYTES);
}

/**
 * Reads a body: JSON and forms as values, anything else as text, and `null` without one. JSON and forms that cannot be
 * parsed are text. Throws `413` if it is too large. Bodies from the network of `address` take turns for decompression.
 */
export const readBody = (request: IncomingMessage, address: string): ReceivedBody | Promise<ReceivedBody> =>
  hasBody(request) ? receive(request, address) : NO_BODY;

async function receive(request: IncomingMessage, address: string): Promise<ReceivedBody> {
  const bytes = await readBytes(request, MAX_BYTES, networkOf(address));
  if (bytes.length === 0) return NO_BODY;
  return { value: await parsed(request.headers['content-type'] ?? '', bytes), bytes: bytes.length };
}

async function parsed(contentType: string, bytes: Buffer): Promise<unknown> {
  const type = mimeType(contentType);
  switch (type?.essence) {
    case 'application/json':
      return parsedJson(bytes.toString());
    case 'application/x-www-form-urlencoded':
      return parsedForm(bytes.toString());
    case 'multipart/form-data':
      return parsedParts(contentType, bytes);
    default:
      return textOf(bytes, type?.params.get('charset'));
  }
}

function mimeType(contentType: string): MIMEType | undefined {
  try {
    return new MIMEType(contentType);
  } catch {
    return undefined;
  }
}

function textOf(bytes: Buffer, charset: string | null | undefined): string {
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(bytes);
  } catch {
    return bytes.toString();
  }
}

function parsedJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  inspect(value);
  return value;
}

function parsedForm(text: string): unknown {
  assertFieldCount(text);
  const value = qs.parse(text, FORM);
  inspect(value);
  return { ...value };
}

/** Throws `413` if a form has more fields than the parser reads. */
function assertFieldCount(text: string): void {
  if (text.split('&', MAX_FIELDS + 1).length > MAX_FIELDS)
    throw new PayloadTooLarge(`The body has more than ${MAX_FIELDS} fields`);
}

/** Returns fields as texts and files as objects, by name; several of a name are an array. */
async function parsedParts(contentType: string, bytes: Buffer): Promise<unknown> {
  let parts: Awaited<ReturnType<typeof partsOf>>;
  try {
    parts = await partsOf(contentType, bytes, MAX_FIELDS);
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return bytes.toString();
    throw error;
  }
  const byName = new Map<string, unknown[]>();
  for (const { name, content, fileName, contentType: type } of parts) {
    const value =
      typeof content === 'string'
        ? content
        : { filename: fileName ?? '', contentType: type ?? '', data: content.toString('base64') };
    inspect({ [name]: typeof value === 'string' ? value : (fileName ?? '') });
    byName.set(name, [...(byName.get(name) ?? []), value]);
  }
  return Object.fromEntries([...byName].map(([name, all]) => [name, all.length > 1 ? all : all[0]]));
}

/** Parses a query: repeated names are arrays, and brackets nest. */
export const parseQuery = (text: string): Readonly<Record<string, unknown>> =>
  text === '' ? {} : qs.parse(text, { ...NESTED, allowPrototypes: false });
