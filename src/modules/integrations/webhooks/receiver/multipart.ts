import busboy, { type Busboy, type BusboyConfig } from 'busboy';
import { buffer } from 'node:stream/consumers';
import { PayloadTooLarge, ValidationError } from '../../../../lib/errors/errors.js';

/** A part of a form: the text of a field, or the bytes of a file. */
export interface Part {
  name: string;
  content: string | Buffer;
  /** Of a file, as its sender calls it. */
  fileName?: string;
  contentType?: string;
}

/** What browsers write for a line end or a quotation mark in a name. */
const ESCAPED = /%0A|%0D|%22/gi;

/**
 * The parts of a form, in their order. Their names are taken as they stand: to multer, `a[999999999]` is an array of as many.
 * Throws 400 where the body is none, and 413 where it has more than `most` parts.
 */
export async function partsOf(contentType: string, body: Buffer, most: number): Promise<Part[]> {
  const parts: Promise<Part>[] = [];
  await new Promise<void>((resolve, reject) => {
    const refuse = () => reject(new ValidationError('The body is not a form of parts, each with its name'));
    const limits = { parts: most + 1, fieldSize: body.length + 1 };
    const parser = parserOf({ headers: { 'content-type': contentType }, defParamCharset: 'utf8', limits });
    if (!parser) return refuse();
    // Nothing may be thrown here: the parser would not hand it on.
    parser.on('field', (name: string | undefined, content) => {
      if (name === undefined) refuse();
      else parts.push(Promise.resolve({ name: unescaped(name), content }));
    });
    parser.on('file', (name: string | undefined, bytes, { filename, mimeType: contentType }) => {
      const content = buffer(bytes);
      // Where the form breaks off, the parser's own error tells.
      content.catch(() => undefined);
      if (name === undefined) return refuse();
      const file = { name: unescaped(name), fileName: filename && unescaped(filename), contentType };
      parts.push(content.then((bytes) => ({ ...file, content: bytes })));
    });
    parser.on('partsLimit', () => reject(new PayloadTooLarge(`The body has more than ${most} parts`)));
    parser.on('error', refuse);
    parser.on('close', resolve);
    parser.end(body);
  });
  return Promise.all(parts);
}

/** None where the type names no boundary. */
function parserOf(options: BusboyConfig): Busboy | undefined {
  try {
    return busboy(options);
  } catch {
    return undefined;
  }
}

const unescaped = (name: string): string => name.replace(ESCAPED, decodeURIComponent);
