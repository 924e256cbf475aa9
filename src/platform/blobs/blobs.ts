import type { Readable } from 'node:stream';

/** What a download link is made for. */
export interface DownloadOptions {
  /** How long the link works, in seconds: 1 to 604800 (a week). */
  expiresIn: number;
  /** The name under which the caller's browser saves the blob. */
  fileName: string;
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
  /** Deletes the blob; does nothing where there is none. */
  delete(key: string): Promise<void>;
  /** A link that downloads this blob without further authorization until it expires. */
  downloadUrl(key: string, options: DownloadOptions): Promise<string>;
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

/** The `Content-Disposition` header (RFC 6266) that saves a download under this name, whatever its characters. */
export function attachmentHeader(fileName: string): string {
  const ascii = fileName.replace(/[^ -~]|["\\%]/g, '_');
  const encoded = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** The platform's blob store, to be injected. */
export const BLOBS = Symbol('blobs');
