import busboy from 'busboy';
import type { IncomingHttpHeaders } from 'node:http';

interface Refusal {
  status: number;
  code: string;
}

interface Form {
  fields: Map<string, string>;
  files: number[];
}

/**
 * Returns the error with which S3 would reject this form, according to its documentation of POST policies; `undefined`
 * if S3 would accept it. `signatureOf` signs a text with a credential.
 */
export async function refusalOfForm(
  headers: IncomingHttpHeaders,
  body: Buffer,
  signatureOf: (text: string, credential: string) => string,
): Promise<Refusal | undefined> {
  const form = await read(headers, body).catch(() => undefined);
  if (!form) return { status: 400, code: 'MalformedPOSTRequest' };
  const { fields, files } = form;
  const denied = { status: 403, code: 'AccessDenied' };
  const policy = fields.get('policy');
  if (policy === undefined) return denied;
  if (fields.get('x-amz-signature') !== signatureOf(policy, fields.get('x-amz-credential') ?? ''))
    return { status: 403, code: 'SignatureDoesNotMatch' };
  if (files.length !== 1) return { status: 400, code: 'InvalidArgument' };
  const { expiration, conditions } = JSON.parse(Buffer.from(policy, 'base64').toString()) as {
    expiration: string;
    conditions: (Record<string, string> | [string, number, number])[];
  };
  if (Date.parse(expiration) <= Date.now()) return denied;
  const named = new Set(['policy', 'x-amz-signature', 'bucket']);
  for (const condition of conditions) {
    if (Array.isArray(condition)) {
      const [kind, min, max] = condition;
      if (kind !== 'content-length-range') throw new Error(`unsupported condition ${kind}`);
      if (files[0]! < min) return { status: 400, code: 'EntityTooSmall' };
      if (files[0]! > max) return { status: 400, code: 'EntityTooLarge' };
    } else {
      for (const [name, value] of Object.entries(condition)) {
        named.add(name.toLowerCase());
        // The address names the bucket.
        if (name === 'bucket' && !fields.has(name)) continue;
        if (fields.get(name.toLowerCase()) !== value) return denied;
      }
    }
  }
  return [...fields.keys()].every((name) => named.has(name)) ? undefined : denied;
}

/** Reads the fields before the file, with lowercase names, and the size of each file. */
function read(headers: IncomingHttpHeaders, body: Buffer): Promise<Form> {
  return new Promise((resolve, reject) => {
    const form: Form = { fields: new Map(), files: [] };
    const parser = busboy({ headers });
    parser.on('field', (name, value) => {
      if (form.files.length === 0) form.fields.set(name.toLowerCase(), value);
    });
    parser.on('file', (_name, file) => {
      const at = form.files.push(0) - 1;
      file.on('error', () => undefined);
      file.on('data', (chunk: Buffer) => (form.files[at]! += chunk.length));
    });
    parser.on('error', reject);
    parser.on('close', () => resolve(form));
    parser.end(body);
  });
}
