import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Blobs } from './blobs.js';
import { DiskBlobs, type DownloadLinks } from './disk-blobs.js';

/** Location of blobs: `blobUrl` is `s3://bucket[/prefix]`, `file:///folder` or `file:folder`. */
export interface BlobSettings extends DownloadLinks {
  blobUrl: string;
  /** Endpoint of an S3-compatible store other than Amazon's. */
  s3Endpoint?: string;
}

/** Creates the configured blob store. The S3 client is only loaded if it is used. */
export async function createBlobs({ blobUrl, s3Endpoint, ...links }: BlobSettings): Promise<Blobs> {
  if (blobUrl.startsWith('s3:')) {
    const { S3Blobs } = await import('./s3-blobs.js');
    return new S3Blobs(blobUrl, s3Endpoint);
  }
  // As a URL, `file:folder` would mean `/folder`, but operators expect a folder relative to the working directory.
  const folder = blobUrl.startsWith('file://')
    ? fileURLToPath(blobUrl)
    : resolve(blobUrl.slice('file:'.length));
  return new DiskBlobs(folder, links);
}
