import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, type InputType, type ZlibOptions } from 'node:zlib';
import { PayloadTooLarge, UnsupportedMediaType, ValidationError } from '../errors/errors.js';
import { DECOMPRESSION } from './compression.js';

type Decoder = (body: InputType, options: Pick<ZlibOptions, 'maxOutputLength'>) => Promise<Buffer>;

const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: promisify<InputType, ZlibOptions, Buffer>(gunzip),
  deflate: promisify<InputType, ZlibOptions, Buffer>(inflate),
  br: promisify<InputType, ZlibOptions, Buffer>(brotliDecompress),
};

/**
 * Reads the body of a request and decompresses it, which takes a turn of `owner`. Throws `413` if it exceeds `max` bytes,
 * based on the head or as soon as the limit is exceeded; the rest is discarded.
 */
export async function readBytes(request: IncomingMessage, max: number, owner: string): Promise<Buffer> {
  const { 'content-length': length, 'content-encoding': encoding = 'identity' } = request.headers;
  if (Number(length ?? 0) > max) throw new PayloadTooLarge();
  if (encoding.toLowerCase() === 'identity') return collect(request, max);
  const decode = DECODERS[encoding.toLowerCase()];
  if (!decode) throw new UnsupportedMediaType('The content encoding of the body is not supported');
  // The body is complete before the turn begins, because a slow client would keep the turn from others.
  const body = await collect(request, max);
  return DECOMPRESSION.run(owner, () =>
    decode(body, { maxOutputLength: max }).catch(({ code }: NodeJS.ErrnoException) => {
      throw code === 'ERR_BUFFER_TOO_LARGE' ? new PayloadTooLarge() : damaged();
    }),
  );
}

const damaged = () =>
  new ValidationError('The body is incomplete, or its encoding does not match its headers');

function collect(request: IncomingMessage, max: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const refuse = () => reject(damaged());
    // The client is gone already, and no event will come.
    if (request.destroyed) return refuse();
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= max) return void chunks.push(chunk);
      chunks.length = 0;
      reject(new PayloadTooLarge());
    });
    request.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.once('error', refuse);
    request.once('close', () => {
      if (!request.complete) refuse();
    });
  });
}
