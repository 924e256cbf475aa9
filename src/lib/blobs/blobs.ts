import type { Readable } from 'node:stream';

/** Properties of a download link. */
export interface DownloadOptions {
  /** Lifetime of the link in seconds: 1 to 604800 (a week). */
  expiresIn: number;
  /** File name under which the browser saves the blob. */
  fileName: string;
  /** Content type as declared by the uploader. If absent, the content is served as binary data to be saved. */
  contentType?: string;
}

/** Properties of a stored blob. */
export interface BlobMetadata {
  bytes: number;
  /** Identifies the content under the key, including the quotation marks. Different content has a different ETag. */
  etag: string;
}

/** Constraints on an upload. */
export interface UploadConstraints {
  contentType: string;
  /** Minimum and maximum size in bytes. */
  bytes: { least: number; most: number };
  /** Seconds during which an upload may begin. */
  expiresIn: number;
}

/** Target of an upload as `multipart/form-data`: these fields, followed by the content as `file`. */
export interface UploadForm {
  url: string;
  fields: Record<string, string>;
}

/**
 * Large binary content, stored outside the database under keys such as `exports/<id>.json`. A key consists of 1 to 512
 * letters, digits, `/`, `_`, `.` and `-`; every method throws for any other key.
 */
export interface Blobs {
  /**
   * Stores content under a key once it has arrived completely, replacing any previous content. If the stream fails or
   * is destroyed, the call rejects and changes nothing. Stores that serve downloads themselves (S3) send `contentType`.
   */
  put(key: string, content: Readable | Buffer, facts: { contentType: string }): Promise<{ size: number }>;
  /** Returns the content as a stream, which must be consumed or destroyed. Rejects with `BlobMissing`. */
  read(key: string): Promise<Readable>;
  /** Returns the properties of the blob, or `undefined` if it does not exist. */
  find(key: string): Promise<BlobMetadata | undefined>;
  /** Rejects if the store is unavailable or, on disk, read-only or full. */
  check(): Promise<void>;
  /** Deletes the blob, if it exists. */
  delete(key: string): Promise<void>;
  /** Returns a link that downloads this blob without further authorization until it expires. */
  downloadUrl(key: string, options: DownloadOptions): Promise<string>;
  /** Returns a form, modeled on S3's POST policies, with which a caller can upload this blob and no other. */
  uploadForm(key: string, terms: UploadConstraints): Promise<UploadForm>;
}

/** Thrown if no blob exists under the key. */
export class BlobMissing extends Error {
  constructor(readonly key: string) {
    super(`There is no blob ${key}`);
  }
}

const KEY = /^[a-zA-Z0-9][a-zA-Z0-9/_.-]{0,511}$/;
/** Maximum length of a file name in common file systems. */
const MAX_NAME_LENGTH = 255;

/** Returns the key. Throws if the key could refer to a different location than it appears to. */
export function checkKey(key: string): string {
  const plain = (name: string) => name !== '' && name !== '.' && name.length <= MAX_NAME_LENGTH;
  if (!KEY.test(key) || key.includes('..') || !key.split('/').every(plain))
    throw new Error('The blob key is not valid');
  return key;
}

/** Returns the `Content-Disposition` header (RFC 6266) that gives a download this file name, with any characters. */
export function dispositionHeader(kind: 'attachment' | 'inline', fileName: string): string {
  const ascii = fileName.replace(/[^ -~]|["\\%]/g, '_');
  const encoded = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** Injection token of the platform's blob store. */
export const BLOBS = Symbol('blobs');
