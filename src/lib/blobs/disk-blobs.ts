import { createHmac, hkdfSync } from 'node:crypto';
import { mkdir, open, opendir, rm, rmdir, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { writeFileAtomically } from '../files/atomic-file.js';
import { equalSecrets } from '../crypto/hashes.js';
import { Forbidden, InsufficientStorage } from '../errors/errors.js';
import {
  BlobMissing,
  checkKey,
  type BlobFacts,
  type Blobs,
  type DownloadOptions,
  type UploadForm,
  type UploadTerms,
} from './blobs.js';
import { UploadForms, type AllowedUpload } from './upload-forms.js';

/** What a disk store needs beside its folder to make links and forms; the platform answers both. */
export interface DownloadLinks {
  /** Forms are sent to `/blobs` under it. */
  publicUrl: string;
  /** Links lead to `/blobs/<key>` under it. */
  filesUrl: string;
  /** A secret that every process of the installation shares. */
  signingKey: Buffer;
}

const ABSENT = new Set<unknown>(['ENOENT', 'ENOTDIR', 'EISDIR']);
const FULL = new Set<unknown>(['ENOSPC', 'EDQUOT']);
/** Where content is written until all of it is there. No key names it. */
const PARTIAL = '~partial';
/** What nobody has written to for so long was left behind. */
const ABANDONED_MS = 60 * 60 * 1000;

/** Blobs as files of one folder. Links to them lead to the platform itself, which checks them with `verifyDownload`. */
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

  async find(key: string): Promise<BlobFacts | undefined> {
    const file = await ifPresent(stat(this.file(key)));
    if (!file?.isFile()) return undefined;
    return { bytes: file.size, etag: `"${file.size.toString(16)}-${Math.floor(file.mtimeMs).toString(16)}"` };
  }

  async delete(key: string): Promise<void> {
    const file = this.file(key);
    await rm(file, { force: true });
    // Folders that are empty now go too; one that is not ends the way up.
    for (let folder = dirname(file); folder !== this.folder; folder = dirname(folder))
      if (!(await removedEmpty(folder))) return;
  }

  async downloadUrl(key: string, { expiresIn, fileName, contentType }: DownloadOptions): Promise<string> {
    const expires = String(Math.floor(Date.now() / 1000) + expiresIn);
    const signature = this.sign(checkKey(key), expires, fileName, contentType);
    const query = new URLSearchParams({ expires, fileName, ...(contentType && { contentType }), signature });
    return `${this.filesUrl}/blobs/${key}?${query.toString()}`;
  }

  /**
   * What a link of ours that is still good at `now` was made for; `query` is the request's, unchecked.
   * Throws `Forbidden` for one that expired, was changed or belongs to another blob.
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

  async uploadForm(key: string, terms: UploadTerms): Promise<UploadForm> {
    return this.forms.make(key, terms, new Date());
  }

  /** What a form of ours that is still good at `now` allows; throws `Forbidden` for any other. */
  verifyUpload(fields: ReadonlyMap<string, string>, now: Date): AllowedUpload {
    return this.forms.verify(fields, now);
  }

  /** Throws where the disk has less room than for so many bytes. */
  async demandRoom(bytes: number): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const { bavail, bsize } = await statfs(this.folder);
    if (bavail * bsize < bytes) throw new InsufficientStorage();
  }

  /** Removes what a process that ended had begun to write by `now`. */
  async removeAbandoned(now: Date): Promise<void> {
    const folder = join(this.folder, PARTIAL);
    const partials = await ifPresent(opendir(folder));
    if (!partials) return;
    for await (const { name } of partials) {
      const file = join(folder, name);
      const written = await ifPresent(stat(file));
      if (written && now.getTime() - written.mtimeMs > ABANDONED_MS) await rm(file, { force: true });
    }
  }

  /** Where the content of a key lies. */
  file(key: string): string {
    return join(this.folder, checkKey(key));
  }

  private sign(key: string, expires: string, fileName: string, contentType?: string): string {
    const parts = [key, expires, fileName, ...(contentType ? [contentType] : [])];
    return createHmac('sha256', this.linkKey).update(JSON.stringify(parts)).digest('base64url');
  }
}

const removedEmpty = (folder: string): Promise<boolean> =>
  rmdir(folder).then(
    () => true,
    () => false,
  );

/** What `work` comes to; nothing where there is no such file. */
async function ifPresent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code)) return undefined;
    throw error;
  }
}
