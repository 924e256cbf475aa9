import { request as send } from 'node:http';
import type { UploadForm } from '../../src/lib/blobs/blobs.js';
import type { TestApp } from '../setup/app.js';

/** Returns an upload form with the actual address of a suite's platform. */
export function reachable({ url, fields }: UploadForm, { client, config }: TestApp): UploadForm {
  return { url: url.replace(config.publicUrl, client.url), fields };
}

/** Fills in the form as browsers and clients do. */
export function filled(
  fields: Record<string, string>,
  content: string | Buffer<ArrayBuffer>,
  name = 'content.txt',
): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append('file', new Blob([content]), name);
  return form;
}

/** Uploads content with a form; returns the status and the text of the response. */
export async function upload(
  { url, fields }: UploadForm,
  content: string | Buffer<ArrayBuffer>,
): Promise<UploadAnswer> {
  return post(url, filled(fields, content));
}

interface UploadAnswer {
  status: number;
  etag: string | null;
  text: string;
}

/** Posts a form. */
export async function post(url: string, body: FormData | string): Promise<UploadAnswer> {
  const response = await fetch(url, { method: 'POST', body });
  return { status: response.status, etag: response.headers.get('etag'), text: await response.text() };
}

/** Starts to send a form of this many bytes and returns functions to continue, finish or abort it. */
export function slowly({ url, fields }: UploadForm, bytes: number) {
  const boundary = 'x-boundary-of-a-slow-sender';
  const part = (head: string, text: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}`;
  const begin =
    Object.entries(fields)
      .map(([name, value]) => part(`name="${name}"`, `${value}\r\n`))
      .join('') + part('name="file"; filename="slow.bin"', '');
  const end = `\r\n--${boundary}--\r\n`;
  const sender = send(url, {
    method: 'POST',
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': begin.length + bytes + end.length,
    },
  });
  const answer = new Promise<number>((resolve, reject) => {
    sender.once('response', (response) => resolve(response.resume().statusCode!));
    sender.once('error', reject);
  });
  // A client that disconnects does not wait for the response.
  answer.catch(() => undefined);
  sender.write(begin);
  return {
    answer,
    write: (content: Buffer) => sender.write(content),
    finish: () => sender.end(end),
    leave: () => sender.destroy(),
  };
}
