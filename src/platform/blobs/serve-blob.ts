import type { Request, Response } from 'express';
import { basename, dirname } from 'node:path';
import { ApiError, NotFound } from '../../lib/errors/errors.js';
import type { Blobs } from '../../lib/blobs/blobs.js';
import { DiskBlobs } from '../../lib/blobs/disk-blobs.js';
import { contentHeaders } from '../../lib/blobs/content-headers.js';

/** A blob to be served. */
export interface ServedBlob {
  key: string;
  fileName: string;
  /** Content type as declared by the uploader. If absent, the content is served as binary data to be saved. */
  contentType?: string;
  cacheControl: string;
}

/** Lifetime in seconds of the S3 link to which a request is redirected. */
const REDIRECT_SECONDS = 900;

/**
 * Headers that keep uploaded content from acting on behalf of its host: scripts do not run, nothing is loaded, and the
 * origin is opaque. Any page may embed the content, since anyone with its URL may read it.
 */
const SANDBOX_HEADERS = {
  'Content-Security-Policy': "sandbox; default-src 'none'; img-src 'self'; media-src 'self'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
};

/**
 * Responds to a GET or HEAD request with a blob, with support for range and conditional requests.
 *
 * Content in S3 does not pass through the process: the caller is redirected to a signed, expiring link. S3 handles
 * ranges and conditions itself, and serves from another host than the platform's. HEAD is answered here, as such a link
 * is only valid for GET.
 */
export async function serveBlob(
  blobs: Blobs,
  request: Request,
  response: Response,
  { key, fileName, contentType, cacheControl }: ServedBlob,
): Promise<void> {
  const shown = contentHeaders(fileName, contentType);
  response.setHeader('Cache-Control', cacheControl);
  if (!(blobs instanceof DiskBlobs) && request.method !== 'HEAD') {
    const link = await blobs.downloadUrl(key, { expiresIn: REDIRECT_SECONDS, fileName, contentType });
    return response.redirect(302, link);
  }
  const facts = await blobs.find(key);
  if (!facts) throw new NotFound('This file');
  for (const [name, value] of Object.entries(SANDBOX_HEADERS)) response.setHeader(name, value);
  response.setHeader('Content-Type', shown.contentType);
  response.setHeader('Content-Disposition', shown.disposition);
  response.setHeader('ETag', facts.etag);
  if (blobs instanceof DiskBlobs) return sendFile(response, blobs.file(key));
  response.setHeader('Accept-Ranges', 'bytes');
  response.setHeader('Content-Length', facts.bytes);
  response.end();
}

/** Uses Express's own `sendFile`, which supports ranges and conditions. */
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
      else reject(errorFor(error, response));
    });
  });
}

function errorFor(error: Error & { status?: number }, response: Response): Error {
  for (const name of ['Content-Disposition', 'ETag', 'Last-Modified']) response.removeHeader(name);
  if (error.status === 404) return new NotFound('This file');
  if (error.status === 412)
    return new ApiError(412, 'PreconditionFailed', 'The file does not meet the conditions of the request');
  if (error.status === 416)
    return new ApiError(416, 'RangeNotSatisfiable', 'The file does not have the requested range');
  return error;
}
