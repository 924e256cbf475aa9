import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { ValidationError } from '../../lib/errors/errors.js';

/** A file that a call sends to an operation. */
export interface CallFile {
  readonly content: Buffer;
  /** Media type; `application/octet-stream` if it is not known. */
  readonly contentType: string;
}

const PRINTABLE = /^[\x20-\x7e]{1,1024}$/;

/** Body of a request with a file as a form, which handlers read as they do requests over HTTP. */
export class CallForm extends Readable {
  /** Handlers abort requests that arrive too slowly or incompletely; a call has arrived as a whole. */
  readonly complete = true;
  readonly socket = { bytesRead: 0 };
  readonly headers: Readonly<Record<string, string>>;
  private readonly parts: Buffer[];

  /** @param name name of the part that contains the file */
  constructor(name: string, { content, contentType }: CallFile) {
    super();
    if (!PRINTABLE.test(contentType)) throw new ValidationError('contentType must be a media type');
    const boundary = randomUUID();
    const head = `Content-Disposition: form-data; name="${name}"; filename="file"\r\nContent-Type: ${contentType}`;
    this.parts = [
      Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
      content,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ];
    this.headers = {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(this.parts.reduce((sum, { length }) => sum + length, 0)),
    };
  }

  override _read(): void {
    this.push(this.parts.shift() ?? null);
  }
}
