import { Inject, Injectable } from '@nestjs/common';
import { BLOBS, type Blobs } from '../../../lib/blobs/blobs.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import type { PrivateFile } from './private-file.resource.js';
import { PrivateFilesRepository } from './private-files.repository.js';

/** Adds links to private files. Anyone with a link can read the content until it expires. */
@Injectable()
export class PrivateFileLinks {
  constructor(
    private readonly files: PrivateFilesRepository,
    @Inject(BLOBS) private readonly blobs: Blobs,
  ) {}

  /**
   * Returns the files with links, valid for the given number of seconds, for those with content. No links are added for
   * 0.
   */
  async addTo(
    applicationId: string,
    files: readonly StoredResource<PrivateFile>[],
    expiresIn: number,
  ): Promise<StoredResource<PrivateFile>[]> {
    if (expiresIn === 0) return [...files];
    const ids = files.filter((file) => file.text('type') === 'file').map((file) => file.text('id')!);
    const keys = await this.files.contentKeys(applicationId, ids);
    return Promise.all(
      files.map(async (file) => {
        const key = keys.get(file.text('id')!);
        if (key === undefined) return file;
        const [fileName, contentType] = [file.text('name')!, file.text('contentType') ?? undefined];
        const url = await this.blobs.downloadUrl(key, { expiresIn, fileName, contentType });
        return file.withMembers({ url: JSON.stringify(url) });
      }),
    );
  }
}
