import type { IncomingMessage } from 'node:http';
import { isTooDeep } from '../../workflows/language/json-depth.js';

/** Maximum size of the body of a request. */
export const MAX_BODY_BYTES = 256 * 1024;
const MAX_DEPTH = 64;

/** A request cannot be read; `status` is that of the response. */
export class RequestFault extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Reads the body of a request: JSON, the fields of a form, or text; `null` if it is empty. Throws a `RequestFault`. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES)
      throw new RequestFault(413, `The body must have at most ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  if (size === 0) return null;
  const content = Buffer.concat(chunks);
  const type = request.headers['content-type'] ?? '';
  switch (type.split(';')[0]!.trim().toLowerCase()) {
    case 'application/json':
      return jsonOf(content.toString());
    case 'application/x-www-form-urlencoded':
      return fieldsOf(new URLSearchParams(content.toString()));
    case 'multipart/form-data':
      return fieldsOf(await formOf(content, type));
    default:
      return content.toString();
  }
}

function jsonOf(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RequestFault(400, 'The body is not valid JSON');
  }
  if (isTooDeep(value, MAX_DEPTH))
    throw new RequestFault(400, `The body is nested more than ${MAX_DEPTH} levels deep`);
  return value;
}

async function formOf(content: Buffer, type: string): Promise<[name: string, value: string][]> {
  try {
    const form = await new Response(content, { headers: { 'content-type': type } }).formData();
    const fields = [...form.entries()].map(async ([name, value]): Promise<[string, string]> => [
      name,
      typeof value === 'string' ? value : await value.text(),
    ]);
    return await Promise.all(fields);
  } catch {
    throw new RequestFault(400, 'The body is not a valid form');
  }
}

/** Returns fields by name; the value of a field that is repeated is a list. */
export function fieldsOf(
  entries: Iterable<readonly [name: string, value: string]>,
): Record<string, string | string[]> {
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of entries) {
    const known = fields.get(name);
    fields.set(name, known === undefined ? value : [known, value].flat());
  }
  return Object.fromEntries(fields);
}
