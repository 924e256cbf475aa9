import busboy, { type Busboy } from 'busboy';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { ApiError, PayloadTooLarge, UnsupportedMediaType, ValidationError } from '../../lib/errors/errors.js';

/** How fast a form has to come: in each window so many bytes, and all of it within the longest time. */
export interface Pace {
  windowMs: number;
  leastBytes: number;
  longestMs: number;
}

/** Takes the content of a form: it ends when all of the form has come, and fails where the form does. */
export type TakeContent<T> = (
  content: AsyncIterable<Buffer>,
  contentType: string,
  fields: ReadonlyMap<string, string>,
) => Promise<T>;

/** What a form has to be. */
interface FormTerms {
  /** The name of its file. */
  file: string;
  pace: Pace;
  /** Whether fields may also come after the file, and the file may be missing. */
  anyOrder?: boolean;
}

/** What came of a form. */
interface Received<T> {
  /** Values by the names of fields, in lower case. */
  fields: ReadonlyMap<string, string>;
  /** What was made of its file; nothing where it had none. */
  taken?: T;
}

const LIMITS = { fields: 32, fieldSize: 16 * 1024, files: 1, parts: 64, headerPairs: 32 };
/** What a form has beside its file, at most. */
export const FORM_BYTES = 1024 * 1024;
const BROKEN = 'The form breaks off or is none';

/**
 * Reads a form of fields and one file, which comes last unless it may be anywhere, as S3 has it: what follows it is then ignored, but
 * for another file. Names of fields are handed on in lower case. The content is never held: it is read as fast as `take` reads it.
 *
 * The parser is multer's own. Multer itself would read the file before it could be told that the fields forbid it, and gives
 * names such as `a[9999]` a meaning.
 */
export async function receiveForm<T>(
  request: IncomingMessage,
  { file: fileName, pace, anyOrder = false }: FormTerms,
  take: TakeContent<T>,
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
      else if (name === fileName) refuse(`${name} is text and no file: it needs a file name`);
      else if (fields.has(field)) refuse(`${field} comes twice`);
      else fields.set(field, value);
    });
    parser.on('file', (name: string | undefined, file, { mimeType }) => {
      // Where the form breaks off, the parser's own error tells.
      file.on('error', () => undefined);
      if (failed) return void file.resume();
      if (name !== fileName) return refuse(`The file is not named ${fileName}`);
      taken = take(untilAllCame(file), mimeType, fields);
      taken.catch(fail);
    });
    parser.on('filesLimit', () => refuse('The form has more than one file'));
    parser.on('fieldsLimit', () => refuse('The form has too many fields'));
    parser.on('partsLimit', () => refuse('The form has too many parts'));
    parser.on('error', () => refuse(BROKEN));
    parser.on('close', resolve);
    request.on('data', (chunk: Buffer) => {
      besideFile += chunk.length;
      if (besideFile > FORM_BYTES) fail(new PayloadTooLarge('The form has too much beside its file'));
    });
    request.once('error', () => refuse(BROKEN));
    request.once('close', () => {
      if (!request.complete) refuse(BROKEN);
    });
    stop = watch(request, pace, fail);
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
    if (taken) return { fields, taken: await taken };
    if (!anyOrder) throw new ValidationError('The form has no file');
    return { fields };
  } finally {
    stop();
    request.unpipe(parser);
    parser.destroy();
    // What was begun is undone before anybody is told.
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

/** Calls `end` once the request comes too slowly; answers what stops it. */
function watch(request: IncomingMessage, pace: Pace, end: (error: Error) => void): () => void {
  const { socket } = request;
  const began = performance.now();
  let read = socket.bytesRead;
  const timer = setInterval(() => {
    if (request.complete) return;
    const came = socket.bytesRead - read;
    read = socket.bytesRead;
    if (came >= pace.leastBytes && performance.now() - began < pace.longestMs) return;
    end(new ApiError(408, 'Timeout', 'The upload came too slowly'));
  }, pace.windowMs);
  return () => clearInterval(timer);
}
