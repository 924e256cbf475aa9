import { Injectable } from '@nestjs/common';
import { TemporaryBlobs } from '../../../../platform/blobs/temporary-blobs.js';
import { newId } from '../../../../platform/repositories/resource.js';
import { createZip } from '../../../../lib/zip/zip.js';
import { filesOf, type CatalogueEntry } from '../../application-templates/read-catalogue.js';
import type { ImportSource } from './import-task.js';

/** Stores the bundles of templates. */
@Injectable()
export class TemplateBundles {
  constructor(private readonly temporary: TemporaryBlobs) {}

  /** Stores the bundle of a template for a day, so that an import in any process can read it. */
  async store({ folder }: CatalogueEntry): Promise<ImportSource> {
    const key = `imports/${newId()}.zip`;
    await this.temporary.put(key, createZip(filesOf(folder)), { contentType: 'application/zip' });
    return { type: 'importBundle', key };
  }
}
