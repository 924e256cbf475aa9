import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { PayloadTooLarge, UnsupportedMediaType, ValidationError } from '../errors/errors.js';

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Reads the body of a request and decompresses it. Throws `413` if it exceeds `max` bytes, based on the head or as
 * soon as the limit is exceeded; the rest is discarded.
 */
export async function readBytes(request: IncomingMessage, max: number): Promise<Buffer> {
  const { 'content-length': length, 'content-encoding': encoding = 'identity' } = request.headers;
  if (Number(length ?? 0) > max) throw new PayloadTooLarge();
  if (encoding.toLowerCase() === 'identity') return collect(request, request, max);
  const decoder = DECODERS[encoding.toLowerCase()]?.();
  if (!decoder) throw new UnsupportedMediaType('The content encoding of the body is not supported');
  try {
    return await collect(request, request.pipe(decoder), max);
  } finally {
    request.unpipe(decoder).resume();
    decoder.destroy();
  }
}

function collect(request: IncomingMessage, decoded: Readable, max: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const refuse = () =>
      reject(new ValidationError('The body is incomplete, or its encoding does not match its headers'));
    decoded.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= max) return void chunks.push(chunk);
      chunks.length = 0;
      reject(new PayloadTooLarge());
    });
    decoded.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    decoded.once('error', refuse);
    request.once('error', refuse);
    request.once('close', () => {
      if (!request.complete) refuse();
    });
  });
}
