import busboy, { type Busboy, type BusboyConfig } from 'busboy';
import { buffer } from 'node:stream/consumers';
import { PayloadTooLarge, ValidationError } from '../errors/errors.js';

/** A part of a form: the text of a field, or the bytes of a file. */
export interface Part {
  name: string;
  content: string | Buffer;
  /** File name given by the sender. Files only. */
  fileName?: string;
  contentType?: string;
}

/** Escape sequences that browsers use for line breaks and quotation marks in names. */
const ESCAPED = /%0A|%0D|%22/gi;

/**
 * Parses a multipart form into its parts, in order. Names are taken literally: multer would parse `a[999999999]` into a
 * huge array. Throws `400` if the body is not a form, and `413` if it has more than `max` parts.
 */
export async function partsOf(contentType: string, body: Buffer, max: number): Promise<Part[]> {
  const parts: Promise<Part>[] = [];
  await new Promise<void>((resolve, reject) => {
    const refuse = () => reject(new ValidationError('The body is not a multipart form with named parts'));
    const limits = { parts: max + 1, fieldSize: body.length + 1 };
    const parser = parserOf({ headers: { 'content-type': contentType }, defParamCharset: 'utf8', limits });
    if (!parser) return refuse();
    // Must not throw: the parser does not propagate errors of listeners.
    parser.on('field', (name: string | undefined, content) => {
      if (name === undefined) refuse();
      else parts.push(Promise.resolve({ name: unescaped(name), content }));
    });
    parser.on('file', (name: string | undefined, bytes, { filename, mimeType: contentType }) => {
      const content = buffer(bytes);
      // If the form is incomplete, the parser itself emits an error.
      content.catch(() => undefined);
      if (name === undefined) return refuse();
      const file = { name: unescaped(name), fileName: filename && unescaped(filename), contentType };
      parts.push(content.then((bytes) => ({ ...file, content: bytes })));
    });
    parser.on('partsLimit', () => reject(new PayloadTooLarge(`The body has more than ${max} parts`)));
    parser.on('error', refuse);
    parser.on('close', resolve);
    parser.end(body);
  });
  return Promise.all(parts);
}

/** Returns `undefined` if the content type contains no boundary. */
function parserOf(options: BusboyConfig): Busboy | undefined {
  try {
    return busboy(options);
  } catch {
    return undefined;
  }
}

const unescaped = (name: string): string => name.replace(ESCAPED, decodeURIComponent);
