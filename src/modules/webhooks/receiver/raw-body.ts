import { raw, type Request, type Response } from 'express';
import { bodyParserError } from '../../../platform/errors/error.filter.js';

const readRaw = raw({ limit: '256kb', type: () => true });

/** The bytes of a request's body, decompressed; 413 where they are more than 256 KiB. */
export async function rawBody(request: Request, response: Response): Promise<Buffer> {
  await new Promise<void>((resolve, reject) => {
    readRaw(request, response, (error?: unknown) => {
      if (error) reject(bodyParserError(error) ?? (error as Error));
      else resolve();
    });
  });
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}
