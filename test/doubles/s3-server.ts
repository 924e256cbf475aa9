import { createHash, createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import S3rver from 's3rver';
import { refusalOfForm } from './s3-forms.js';

/** Credentials that the server accepts, as environment variables of the AWS SDK. */
export const S3_ENVIRONMENT = {
  AWS_ACCESS_KEY_ID: 'S3RVER',
  AWS_SECRET_ACCESS_KEY: 'S3RVER',
  AWS_REGION: 'eu-central-1',
};

export interface S3Server {
  endpoint: string;
  /** Folder in which the server stores its files. */
  directory: string;
  close(): Promise<void>;
}

/**
 * Starts an S3 store with one bucket: s3rver, with added checks of all signatures and forms, and
 * `AbortMultipartUpload`.
 */
export async function startS3Server(bucket: string): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 's3-'));
  const store = new S3rver({ directory, silent: true, configureBuckets: [{ name: bucket }] });
  const answer = store.callback();
  await store.configureBuckets();

  const server = createServer((request, response) => {
    // Suites shift the clock of the process; clients that see a different time adjust to this header.
    response.setHeader('Date', new Date().toUTCString());
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const uploadId = url.searchParams.get('uploadId');
    if (!isSignedRight(request, url)) {
      response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>');
    } else if (request.method === 'DELETE' && uploadId !== null) {
      const upload = join(directory, bucket, '._S3rver_uploads', uploadId);
      void rm(upload, { recursive: true }).then(() => response.writeHead(204).end());
    } else if (request.method === 'POST' && /^multipart\//.test(request.headers['content-type'] ?? '')) {
      void buffer(request).then(
        async (body) => {
          const refusal = await refusalOfForm(request.headers, body, signatureOf);
          if (refusal)
            return response.writeHead(refusal.status).end(`<Error><Code>${refusal.code}</Code></Error>`);
          const { status, headers } = await unchecked(request, body);
          response.writeHead(status, { etag: headers.get('etag') ?? '' }).end();
        },
        () => response.destroy(),
      );
    } else {
      answer(request, response);
    }
  });
  /** Response of s3rver to a form that has been checked. */
  const inner = createServer(answer);
  const unchecked = (request: IncomingMessage, body: Buffer) =>
    fetch(`http://127.0.0.1:${(inner.address() as AddressInfo).port}${request.url}`, {
      method: 'POST',
      headers: { 'content-type': request.headers['content-type']! },
      body: new Uint8Array(body),
    });
  await new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    directory,
    async close() {
      for (const each of [server, inner]) {
        each.closeAllConnections();
        await new Promise((resolve) => each.close(resolve));
      }
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** Returns the signature (AWS Signature Version 4) of a text for a credential. */
function signatureOf(text: string, credential: string): string {
  const scope = credential.split('/').slice(1);
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${S3_ENVIRONMENT.AWS_SECRET_ACCESS_KEY}`);
  return hmac(key, text).toString('hex');
}

/** Signature data of a request, from its URL if presigned or else from its header. */
interface Signed {
  signature: string;
  credential: string;
  date: string;
  headerNames: string[];
  /** Hash of the body, or the value for unsigned bodies. */
  content: string;
}

function signedOf({ headers }: IncomingMessage, { searchParams }: URL): Signed | undefined {
  const given = (name: string) => searchParams.get(name) ?? '';
  if (searchParams.has('X-Amz-Signature'))
    return {
      signature: given('X-Amz-Signature'),
      credential: given('X-Amz-Credential'),
      date: given('X-Amz-Date'),
      headerNames: given('X-Amz-SignedHeaders').split(';'),
      content: 'UNSIGNED-PAYLOAD',
    };
  const [, credential, names, signature] =
    /^AWS4-HMAC-SHA256 Credential=(\S+), SignedHeaders=(\S+), Signature=(\S+)$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (!credential || !names || !signature) return undefined;
  const header = (name: string) => String(headers[name]);
  const headerNames = names.split(';');
  return {
    signature,
    credential,
    date: header('x-amz-date'),
    headerNames,
    content: header('x-amz-content-sha256'),
  };
}

/** Whether the signature of a request to AWS is correct; s3rver handles requests without one. */
export function isSignedRight(request: IncomingMessage, url: URL): boolean {
  const signed = signedOf(request, url);
  if (!signed) return true;
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const query = [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, text]) => `${encode(name)}=${encode(text)}`)
    .sort()
    .join('&');
  const headers = signed.headerNames.map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  const canonical = [
    request.method,
    url.pathname,
    query,
    headers.join(''),
    signed.headerNames.join(';'),
    signed.content,
  ].join('\n');
  const scope = signed.credential.split('/').slice(1).join('/');
  const digest = createHash('sha256').update(canonical).digest('hex');
  const text = ['AWS4-HMAC-SHA256', signed.date, scope, digest].join('\n');
  return signed.signature === signatureOf(text, signed.credential);
}
