import type { Request, Response } from 'express';
import { basename, dirname } from 'node:path';
import { ApiError, NotFound } from '../../lib/errors/errors.js';
import type { Blobs } from '../../lib/blobs/blobs.js';
import { DiskBlobs } from '../../lib/blobs/disk-blobs.js';
import { shownContent } from '../../lib/blobs/shown-content.js';

/** A blob as it is handed out. */
export interface Served {
  key: string;
  fileName: string;
  /** As its uploader says; absent, it is bytes to be saved. */
  contentType?: string;
  cacheControl: string;
}

/** How long the link to S3 works that a request is sent on to. */
const REDIRECT_SECONDS = 900;

/**
 * What keeps content of callers from acting in the name of the host that it comes from: no script runs, nothing is loaded, and
 * its origin is nobody's. Any page may show it, as whoever has the address may read it.
 */
const HARMLESS = {
  'Content-Security-Policy': "sandbox; default-src 'none'; img-src 'self'; media-src 'self'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
};

/**
 * Answers a GET or HEAD with a blob, with what HTTP has for ranges and for what the caller has already.
 *
 * Content in S3 is not carried through the process: the caller is sent on to a signed link that ends, as S3 has ranges and
 * conditions of its own, and its host is another than the platform's. A HEAD is answered here: such a link is for GET alone.
 */
export async function serveBlob(
  blobs: Blobs,
  request: Request,
  response: Response,
  { key, fileName, contentType, cacheControl }: Served,
): Promise<void> {
  const shown = shownContent(fileName, contentType);
  response.setHeader('Cache-Control', cacheControl);
  if (!(blobs instanceof DiskBlobs) && request.method !== 'HEAD') {
    const link = await blobs.downloadUrl(key, { expiresIn: REDIRECT_SECONDS, fileName, contentType });
    return response.redirect(302, link);
  }
  const facts = await blobs.find(key);
  if (!facts) throw new NotFound('This file');
  for (const [name, value] of Object.entries(HARMLESS)) response.setHeader(name, value);
  response.setHeader('Content-Type', shown.contentType);
  response.setHeader('Content-Disposition', shown.disposition);
  response.setHeader('ETag', facts.etag);
  if (blobs instanceof DiskBlobs) return sendFile(response, blobs.file(key));
  response.setHeader('Accept-Ranges', 'bytes');
  response.setHeader('Content-Length', facts.bytes);
  response.end();
}

/** By Express's own `send`, which knows ranges and conditions. */
function sendFile(response: Response, file: string): Promise<void> {
  const options = {
    root: dirname(file),
    dotfiles: 'allow',
    cacheControl: false,
    lastModified: true,
  } as const;
  return new Promise((resolve, reject) => {
    response.sendFile(basename(file), options, (error?: Error & { status?: number }) => {
      if (!error || response.headersSent) resolve();
      else reject(refusalOf(error, response));
    });
  });
}

function refusalOf(error: Error & { status?: number }, response: Response): Error {
  for (const name of ['Content-Disposition', 'ETag', 'Last-Modified']) response.removeHeader(name);
  if (error.status === 404) return new NotFound('This file');
  if (error.status === 412)
    return new ApiError(412, 'PreconditionFailed', 'The file is not as the request wants it');
  if (error.status === 416) return new ApiError(416, 'RangeNotSatisfiable', 'The file has no such range');
  return error;
}
