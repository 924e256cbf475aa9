import type { Readable } from 'node:stream';

/** What a download link is made for. */
export interface DownloadOptions {
  /** How long the link works, in seconds: 1 to 604800 (a week). */
  expiresIn: number;
  /** The name under which the caller's browser saves the blob. */
  fileName: string;
  /** What it is, as its uploader says; absent, it is bytes to be saved. */
  contentType?: string;
}

/** What a store knows of a blob. */
export interface BlobFacts {
  bytes: number;
  /** Another for another content under the same key, with its quotation marks. */
  etag: string;
}

/** What an upload has to be. */
export interface UploadTerms {
  contentType: string;
  /** How many bytes it has. */
  bytes: { least: number; most: number };
  /** How long an upload may begin, in seconds. */
  expiresIn: number;
}

/** Where an upload is sent, as `multipart/form-data`: these fields, and then the content as `file`. */
export interface UploadForm {
  url: string;
  fields: Record<string, string>;
}

/**
 * Large binary content, kept outside the database under keys such as `exports/<id>.json`.
 * A key has 1 to 512 letters, digits, `/`, `_`, `.` and `-`; each method throws for any other.
 */
export interface Blobs {
  /**
   * Stores content under a key, replacing what was there, once all of it has arrived: a stream that fails or is
   * destroyed rejects and changes nothing. `contentType` is what a store that answers downloads itself (S3) sends.
   */
  put(key: string, content: Readable | Buffer, facts: { contentType: string }): Promise<{ size: number }>;
  /** The content as a stream, to be read to its end or destroyed. Rejects with `BlobMissing`. */
  read(key: string): Promise<Readable>;
  /** What is known of the blob; nothing where there is none. */
  find(key: string): Promise<BlobFacts | undefined>;
  /** Deletes the blob; does nothing where there is none. */
  delete(key: string): Promise<void>;
  /** A link that downloads this blob without further authorization until it expires. */
  downloadUrl(key: string, options: DownloadOptions): Promise<string>;
  /** A form, as S3's POST policies have it, with which a caller stores this blob and no other. */
  uploadForm(key: string, terms: UploadTerms): Promise<UploadForm>;
}

/** There is no blob under this key. */
export class BlobMissing extends Error {
  constructor(readonly key: string) {
    super(`There is no blob ${key}`);
  }
}

const KEY = /^[a-zA-Z0-9][a-zA-Z0-9/_.-]{0,511}$/;
/** What a file system takes as one name. */
const LONGEST_NAME = 255;

/** Returns the key; throws for one that could name another place than it seems to. */
export function checkKey(key: string): string {
  const plain = (name: string) => name !== '' && name !== '.' && name.length <= LONGEST_NAME;
  if (!KEY.test(key) || key.includes('..') || !key.split('/').every(plain))
    throw new Error('The blob key is not valid');
  return key;
}

/** The `Content-Disposition` header (RFC 6266) that gives a download this name, whatever its characters. */
export function dispositionHeader(kind: 'attachment' | 'inline', fileName: string): string {
  const ascii = fileName.replace(/[^ -~]|["\\%]/g, '_');
  const encoded = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** The platform's blob store, to be injected. */
export const BLOBS = Symbol('blobs');
