import busboy, { type Busboy } from 'busboy';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { ApiError, PayloadTooLarge, UnsupportedMediaType, ValidationError } from '../../lib/errors/errors.js';

/** Minimum speed of a form: the bytes required in each window, and the maximum total time. */
export interface UploadRate {
  windowMs: number;
  minBytes: number;
  maxMs: number;
}

/**
 * Consumes the content of a form's file. The content ends when the whole form has arrived, and fails if the form does.
 */
export type ContentHandler<T> = (
  content: AsyncIterable<Buffer>,
  contentType: string,
  fields: ReadonlyMap<string, string>,
) => Promise<T>;

/** Requirements for a form. */
interface FormConstraints {
  /** Field name of the file. */
  file: string;
  pace: UploadRate;
  /** Whether fields may follow the file, and the file may be missing. */
  anyOrder?: boolean;
}

/** A received form. */
interface Received<T> {
  /** Values, keyed by field name in lower case. */
  fields: ReadonlyMap<string, string>;
  /** Result for the file; `undefined` if the form had none. */
  result?: T;
}

const LIMITS = { fields: 32, fieldSize: 16 * 1024, files: 1, parts: 64, headerPairs: 32 };
/** Maximum size of a form without its file, in bytes. */
export const FORM_BYTES = 1024 * 1024;
const MALFORMED_FORM = 'The form is incomplete or malformed';

/**
 * Reads a form of fields and one file. As with S3, the file comes last unless `anyOrder` is set: later fields are
 * ignored, but a second file is an error. Field names are lowercased. The content is not buffered: it is read as fast
 * as `take` consumes it.
 *
 * The parser is the one that multer uses. Multer itself would read the file before the fields could reject it, and
 * interprets names such as `a[9999]`.
 */
export async function receiveForm<T>(
  request: IncomingMessage,
  { file: fileName, pace, anyOrder = false }: FormConstraints,
  take: ContentHandler<T>,
): Promise<Received<T>> {
  const parser = parserOf(request);
  const fields = new Map<string, string>();
  let taken: Promise<T> | undefined;
  let stop: () => void = () => undefined;
  let besideFile = 0;
  const form = new Promise<void>((resolve, reject) => {
    let failed = false;
    const fail = (error: Error) => {
      failed = true;
      reject(error);
    };
    const refuse = (message: string) => fail(new ValidationError(message));
    parser.on('field', (name: string | undefined, value, { valueTruncated }) => {
      const field = name?.toLowerCase();
      if (taken && !anyOrder) return;
      if (field === undefined || valueTruncated) refuse('A field has no name or is too long');
      else if (name === fileName) refuse(`${name} must be a file with a file name`);
      else if (fields.has(field)) refuse(`${field} occurs twice`);
      else fields.set(field, value);
    });
    parser.on('file', (name: string | undefined, file, { mimeType }) => {
      // If the form is incomplete, the error of the parser reports it.
      file.on('error', () => undefined);
      if (failed) return void file.resume();
      if (name !== fileName) return refuse(`The file field must be named ${fileName}`);
      taken = take(untilAllCame(file), mimeType, fields);
      taken.catch(fail);
    });
    parser.on('filesLimit', () => refuse('The form has more than one file'));
    parser.on('fieldsLimit', () => refuse('The form has too many fields'));
    parser.on('partsLimit', () => refuse('The form has too many parts'));
    parser.on('error', () => refuse(MALFORMED_FORM));
    parser.on('close', resolve);
    request.on('data', (chunk: Buffer) => {
      besideFile += chunk.length;
      if (besideFile > FORM_BYTES) fail(new PayloadTooLarge('The form is too large, not counting its file'));
    });
    request.once('error', () => refuse(MALFORMED_FORM));
    request.once('close', () => {
      if (!request.complete) refuse(MALFORMED_FORM);
    });
    stop = enforceRate(request, pace, fail);
  });
  async function* untilAllCame(file: Readable): AsyncGenerator<Buffer> {
    for await (const chunk of file as AsyncIterable<Buffer>) {
      besideFile -= chunk.length;
      yield chunk;
    }
    await form;
  }
  try {
    request.pipe(parser);
    await form;
    if (taken) return { fields, result: await taken };
    if (!anyOrder) throw new ValidationError('The form has no file');
    return { fields };
  } finally {
    stop();
    request.unpipe(parser);
    parser.destroy();
    // Lets `take` clean up before the caller receives the result.
    await Promise.allSettled([taken]);
  }
}

function parserOf({ headers }: IncomingMessage): Busboy {
  try {
    return busboy({ headers, defParamCharset: 'utf8', limits: LIMITS });
  } catch {
    throw new UnsupportedMediaType(
      'Uploads are forms: send Content-Type: multipart/form-data with a boundary',
    );
  }
}

/** Calls `end` if the request arrives too slowly. Returns a function that stops the watch. */
function enforceRate(request: IncomingMessage, pace: UploadRate, end: (error: Error) => void): () => void {
  const { socket } = request;
  const began = performance.now();
  let read = socket.bytesRead;
  const timer = setInterval(() => {
    if (request.complete) return;
    const came = socket.bytesRead - read;
    read = socket.bytesRead;
    if (came >= pace.minBytes && performance.now() - began < pace.maxMs) return;
    end(new ApiError(408, 'Timeout', 'The upload was too slow'));
  }, pace.windowMs);
  return () => clearInterval(timer);
}
