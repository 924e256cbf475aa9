import { Writable } from 'node:stream';
import { PayloadTooLarge } from '../../lib/errors/errors.js';
import { decode } from '../../lib/json/utf8.js';

/** Maximum size of the response to a call in bytes. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Response to a call in the process: keeps the text, and has the methods of Express that handlers and filters use. */
export class CallResponse extends Writable {
  statusCode = 200;
  readonly headersSent = false;
  private readonly headers = new Map<string, unknown>();
  private readonly chunks: (Buffer | string)[] = [];
  private size = 0;

  constructor(readonly req: object) {
    super({ decodeStrings: false });
  }

  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: (error?: Error) => void): void {
    this.size += Buffer.byteLength(chunk, encoding);
    if (this.size > MAX_BYTES) return done(new PayloadTooLarge('The response is too large for a workflow'));
    this.chunks.push(encoding === 'latin1' && typeof chunk === 'string' ? decode(chunk) : chunk);
    done();
  }

  /** The body once the response has finished, or `undefined` if it is empty. */
  get body(): unknown {
    if (this.size === 0) return undefined;
    const [only, ...others] = this.chunks;
    const text = others.length === 0 ? only! : Buffer.concat(this.chunks.map(bytesOf));
    return JSON.parse(text.toString()) as unknown;
  }

  status(code: number): this {
    this.statusCode = code;
    return this;
  }

  /** Returns the response itself. The content type is always JSON. */
  type(): this {
    return this;
  }

  setHeader(name: string, value: unknown): this {
    this.headers.set(name.toLowerCase(), value);
    return this;
  }

  getHeader(name: string): unknown {
    return this.headers.get(name.toLowerCase());
  }

  send(text: string): this {
    return this.end(text);
  }

  json(value: unknown): this {
    return this.end(JSON.stringify(value));
  }
}

const bytesOf = (chunk: Buffer | string): Buffer => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
