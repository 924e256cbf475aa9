import { Inject, Injectable } from '@nestjs/common';
import { BLOBS, type Blobs } from '../../../lib/blobs/blobs.js';
import type { Stored } from '../../../platform/responses/answers.js';
import type { PrivateFile } from './private-file.resource.js';
import { PrivateFilesRepository } from './private-files.repository.js';

/** Gives private files their links: whoever has one reads the content until it ends. */
@Injectable()
export class PrivateFileLinks {
  constructor(
    private readonly files: PrivateFilesRepository,
    @Inject(BLOBS) private readonly blobs: Blobs,
  ) {}

  /** The same files, with links for so many seconds to those contents that are there; 0 is for none. */
  async addTo(
    applicationId: string,
    files: readonly Stored<PrivateFile>[],
    expiresIn: number,
  ): Promise<Stored<PrivateFile>[]> {
    if (expiresIn === 0) return [...files];
    const ids = files.filter((file) => file.text('type') === 'file').map((file) => file.text('id')!);
    const keys = await this.files.contentKeys(applicationId, ids);
    return Promise.all(
      files.map(async (file) => {
        const key = keys.get(file.text('id')!);
        if (key === undefined) return file;
        const [fileName, contentType] = [file.text('name')!, file.text('contentType') ?? undefined];
        const url = await this.blobs.downloadUrl(key, { expiresIn, fileName, contentType });
        return file.with({ url: JSON.stringify(url) });
      }),
    );
  }
}
