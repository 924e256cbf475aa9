import { createHmac, hkdfSync } from 'node:crypto';
import { access, constants, mkdir, open, opendir, rm, rmdir, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { writeFileAtomically } from '../files/atomic-file.js';
import { equalSecrets } from '../crypto/hashes.js';
import { Forbidden, InsufficientStorage } from '../errors/errors.js';
import {
  BlobMissing,
  checkKey,
  type BlobMetadata,
  type Blobs,
  type DownloadOptions,
  type UploadForm,
  type UploadConstraints,
} from './blobs.js';
import { UploadForms, type AllowedUpload } from './upload-forms.js';

/** Settings that a disk store needs to create links and forms, both of which the platform serves. */
export interface DownloadLinks {
  /** Base URL of forms, which are sent to `/blobs` below it. */
  publicUrl: string;
  /** Base URL of links, which have the path `/blobs/<key>` below it. */
  filesUrl: string;
  /** Secret shared by all processes of the installation. */
  signingKey: Buffer;
}

const ABSENT = new Set<unknown>(['ENOENT', 'ENOTDIR', 'EISDIR']);
const FULL = new Set<unknown>(['ENOSPC', 'EDQUOT']);
/** Folder of content that is still being written. No key can refer to it. */
const PARTIAL = '~partial';
/** Age after which a partial file that nobody writes to counts as abandoned. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/** Blobs as files in a folder. Links to them point to the platform, which verifies them with `verifyDownload`. */
export class DiskBlobs implements Blobs {
  private readonly filesUrl: string;
  private readonly linkKey: Buffer;
  private readonly forms: UploadForms;

  private readonly folder: string;

  constructor(folder: string, { publicUrl, filesUrl, signingKey }: DownloadLinks) {
    this.folder = resolve(folder);
    this.filesUrl = filesUrl;
    this.linkKey = Buffer.from(hkdfSync('sha256', signingKey, '', 'blob download links', 32));
    this.forms = new UploadForms(`${publicUrl}/blobs`, signingKey);
  }

  async put(key: string, content: Readable | Buffer): Promise<{ size: number }> {
    const file = this.file(key);
    try {
      return { size: await writeFileAtomically(file, content, join(this.folder, PARTIAL)) };
    } catch (error) {
      throw FULL.has((error as NodeJS.ErrnoException).code) ? new InsufficientStorage() : error;
    }
  }

  async read(key: string): Promise<Readable> {
    const handle = await ifPresent(open(this.file(key)));
    if (handle && (await handle.stat()).isFile()) return handle.createReadStream();
    await handle?.close();
    throw new BlobMissing(key);
  }

  async find(key: string): Promise<BlobMetadata | undefined> {
    const file = await ifPresent(stat(this.file(key)));
    if (!file?.isFile()) return undefined;
    return { bytes: file.size, etag: `"${file.size.toString(16)}-${Math.floor(file.mtimeMs).toString(16)}"` };
  }

  async check(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await access(this.folder, constants.R_OK | constants.W_OK | constants.X_OK);
    if ((await statfs(this.folder)).bavail === 0) throw new InsufficientStorage();
  }

  async delete(key: string): Promise<void> {
    const file = this.file(key);
    await rm(file, { force: true });
    // Removes the parent folders that are now empty, up to the first one that is not.
    for (let folder = dirname(file); folder !== this.folder; folder = dirname(folder))
      if (!(await removeIfEmpty(folder))) return;
  }

  async downloadUrl(key: string, { expiresIn, fileName, contentType }: DownloadOptions): Promise<string> {
    const expires = String(Math.floor(Date.now() / 1000) + expiresIn);
    const signature = this.sign(checkKey(key), expires, fileName, contentType);
    const query = new URLSearchParams({ expires, fileName, ...(contentType && { contentType }), signature });
    return `${this.filesUrl}/blobs/${key}?${query.toString()}`;
  }

  /**
   * Returns the options of a download link that this store created and that is still valid at `now`; `query` is the
   * unvalidated query of the request. Throws `Forbidden` for a link that has expired, was tampered with or belongs to
   * another blob.
   */
  verifyDownload(
    key: string,
    query: Readonly<Record<string, unknown>>,
    now: Date,
  ): Pick<DownloadOptions, 'fileName' | 'contentType'> {
    const { expires, fileName, contentType, signature } = query;
    const wellFormed =
      typeof expires === 'string' &&
      typeof fileName === 'string' &&
      (contentType === undefined || typeof contentType === 'string') &&
      typeof signature === 'string';
    if (
      !wellFormed ||
      !equalSecrets(signature, this.sign(key, expires, fileName, contentType)) ||
      Number(expires) * 1000 <= now.getTime()
    ) {
      throw new Forbidden('The download link is not valid or has expired');
    }
    return { fileName, contentType };
  }

  async uploadForm(key: string, terms: UploadConstraints): Promise<UploadForm> {
    return this.forms.make(key, terms, new Date());
  }

  /**
   * Returns the upload that a form allows if this store created it and it is still valid at `now`. Throws `Forbidden`
   * for any other.
   */
  verifyUpload(fields: ReadonlyMap<string, string>, now: Date): AllowedUpload {
    return this.forms.verify(fields, now);
  }

  /** Throws if the disk has less free space than this number of bytes. */
  async assertFreeSpace(bytes: number): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const { bavail, bsize } = await statfs(this.folder);
    if (bavail * bsize < bytes) throw new InsufficientStorage();
  }

  /** Removes partial files that terminated processes had started to write by `now`. */
  async removeAbandoned(now: Date): Promise<void> {
    const folder = join(this.folder, PARTIAL);
    const partials = await ifPresent(opendir(folder));
    if (!partials) return;
    for await (const { name } of partials) {
      const file = join(folder, name);
      const written = await ifPresent(stat(file));
      if (written && now.getTime() - written.mtimeMs > ABANDONED_AFTER_MS) await rm(file, { force: true });
    }
  }

  /** Returns the path of the file that holds the content of a key. */
  file(key: string): string {
    return join(this.folder, checkKey(key));
  }

  private sign(key: string, expires: string, fileName: string, contentType?: string): string {
    const parts = [key, expires, fileName, ...(contentType ? [contentType] : [])];
    return createHmac('sha256', this.linkKey).update(JSON.stringify(parts)).digest('base64url');
  }
}

const removeIfEmpty = (folder: string): Promise<boolean> =>
  rmdir(folder).then(
    () => true,
    () => false,
  );

/** Returns the result of `work`, or `undefined` if the file does not exist. */
async function ifPresent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code)) return undefined;
    throw error;
  }
}
