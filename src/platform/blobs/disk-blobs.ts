import { createHmac, hkdfSync } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { writeFileAtomically } from '../atomic-file.js';
import { equalSecrets } from '../crypto/hashes.js';
import { Forbidden } from '../errors/errors.js';
import { BlobMissing, checkKey, type Blobs, type DownloadOptions } from './blobs.js';

/** What a disk store needs beside its folder to make links: `/blobs/<key>` under `publicUrl` answers them. */
export interface DownloadLinks {
  publicUrl: string;
  /** A secret that every process of the installation shares. */
  signingKey: Buffer;
}

const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);

/** Blobs as files of one folder. Links to them lead to the platform itself, which checks them with `verifyDownload`. */
export class DiskBlobs implements Blobs {
  private readonly publicUrl: string;
  private readonly linkKey: Buffer;

  constructor(
    private readonly folder: string,
    { publicUrl, signingKey }: DownloadLinks,
  ) {
    this.publicUrl = publicUrl;
    this.linkKey = Buffer.from(hkdfSync('sha256', signingKey, '', 'blob download links', 32));
  }

  async put(key: string, content: Readable | Buffer): Promise<{ size: number }> {
    return { size: await writeFileAtomically(this.file(key), content) };
  }

  async read(key: string): Promise<Readable> {
    try {
      const handle = await open(this.file(key));
      if ((await handle.stat()).isFile()) return handle.createReadStream();
      await handle.close();
    } catch (error) {
      if (!ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
    throw new BlobMissing(key);
  }

  async delete(key: string): Promise<void> {
    await rm(this.file(key), { force: true });
  }

  async downloadUrl(key: string, { expiresIn, fileName }: DownloadOptions): Promise<string> {
    const expires = String(Math.floor(Date.now() / 1000) + expiresIn);
    const signature = this.sign(checkKey(key), expires, fileName);
    const query = new URLSearchParams({ expires, fileName, signature });
    return `${this.publicUrl}/blobs/${key}?${query.toString()}`;
  }

  /**
   * The file name of a link of ours that is still good at `now`; `query` is the request's, unchecked.
   * Throws `Forbidden` for one that expired, was changed or belongs to another blob.
   */
  verifyDownload(key: string, query: Readonly<Record<string, unknown>>, now: Date): { fileName: string } {
    const { expires, fileName, signature } = query;
    const wellFormed =
      typeof expires === 'string' && typeof fileName === 'string' && typeof signature === 'string';
    if (
      !wellFormed ||
      !equalSecrets(signature, this.sign(key, expires, fileName)) ||
      Number(expires) * 1000 <= now.getTime()
    ) {
      throw new Forbidden('The download link is not valid or has expired');
    }
    return { fileName };
  }

  private sign(...parts: [key: string, expires: string, fileName: string]): string {
    return createHmac('sha256', this.linkKey).update(JSON.stringify(parts)).digest('base64url');
  }

  private file(key: string): string {
    return join(this.folder, checkKey(key));
  }
}
