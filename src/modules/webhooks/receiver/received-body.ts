import type { Request, Response } from 'express';
import multer from 'multer';
import { MIMEType } from 'node:util';
import { Readable } from 'node:stream';
import qs from 'qs';
import { UnsupportedMediaType, ValidationError } from '../../../platform/errors/errors.js';
import { inspect } from '../../../platform/server/read-body.js';
import type { Webhook } from '../webhook.resource.js';

const MOST_FIELDS = 1_000;
/** Of fields whose names mean something to objects, none is lost: they are refused below. */
const FORM = { depth: 5, arrayLimit: 100, parameterLimit: MOST_FIELDS, plainObjects: true };
const parseMultipart = multer({
  storage: multer.memoryStorage(),
  limits: { parts: MOST_FIELDS },
  defParamCharset: 'utf8',
}).any();

type Casts = Pick<Webhook, 'castBuffersAs' | 'annotateMultipart'>;

/**
 * What a body says, by its type: JSON and forms as what they hold, text as text, and bytes of any other kind cast as the
 * webhook has it. No body is `null`.
 */
export async function readBodyOf(request: Request, body: Buffer, webhook: Casts): Promise<unknown> {
  if (body.length === 0) return null;
  if (request.is(['json', '+json'])) return inspected(parseJson(textOf(request, body)));
  if (request.is('urlencoded')) return inspected(qs.parse(textOf(request, body), FORM));
  if (request.is('multipart/form-data')) return inspected(await readParts(request, body, webhook));
  if (request.is(['text/*', 'xml', '+xml', 'application/javascript'])) return textOf(request, body);
  return cast(body, webhook);
}

function inspected(value: unknown): unknown {
  inspect(value);
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ValidationError('The body is not valid JSON');
  }
}

/** In the character set that the request names, UTF-8 where it names none. */
function textOf(request: Request, body: Buffer): string {
  try {
    const charset = new MIMEType(request.headers['content-type'] ?? '').params.get('charset');
    return new TextDecoder(charset ?? 'utf-8').decode(body);
  } catch {
    throw new UnsupportedMediaType('The character set of the body is not known');
  }
}

function cast(bytes: Buffer, { castBuffersAs = 'base64' }: Casts): unknown {
  return castBuffersAs === 'array' ? [...bytes] : bytes.toString(castBuffersAs as BufferEncoding);
}

/** The parts of a form by their names; where several have one name, a list of them. */
async function readParts(
  { headers }: Request,
  body: Buffer,
  webhook: Casts,
): Promise<Record<string, unknown>> {
  // The bytes were read already, since signatures are of them: the parser gets them as a request of its own.
  const form = Object.assign(Readable.from([body]), {
    headers: { ...headers, 'content-length': String(body.length) },
  }) as unknown as Request;
  await new Promise<void>((resolve, reject) => {
    parseMultipart(form, {} as Response, (error?: unknown) => {
      if (error) reject(new ValidationError('The body is not a form of parts'));
      else resolve();
    });
  });
  const parts = new Map<string, unknown[]>();
  const add = (name: string, part: unknown) => parts.set(name, [...(parts.get(name) ?? []), part]);
  for (const [name, value] of Object.entries(form.body as Record<string, unknown>))
    for (const part of [value].flat()) add(name, webhook.annotateMultipart ? { value: part } : part);
  for (const file of form.files as Express.Multer.File[]) {
    const value = cast(file.buffer, webhook);
    const { originalname: fileName, mimetype: contentType } = file;
    add(file.fieldname, webhook.annotateMultipart ? { fileName, contentType, value } : value);
  }
  return Object.fromEntries(
    [...parts].map(([name, [first, ...more]]) => [name, more.length ? [first, ...more] : first]),
  );
}
