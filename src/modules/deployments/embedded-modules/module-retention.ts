import { Inject, Injectable } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import { BLOBS, type Blobs } from '../../../lib/blobs/blobs.js';
import { PeriodicTask } from '../../../platform/database/periodic-task.js';
import { EmbeddedModulesRepository } from './embedded-modules.repository.js';
import { moduleKey, symbolsKey } from './module-metadata.js';

const INTERVAL_MS = 5 * 60_000;
const BATCH = 100;
const MIB = 1024 * 1024;

/**
 * Removes old modules, and the oldest ones if their total size exceeds the limit. A blob that is left behind expires
 * like any temporary blob.
 */
@Injectable()
export class ModuleRetention extends PeriodicTask {
  constructor(
    private readonly rows: EmbeddedModulesRepository,
    @Inject(BLOBS) private readonly blobs: Blobs,
    private readonly config: Config,
  ) {
    super(INTERVAL_MS, 'Modules could not be removed');
  }

  override async runBatch(): Promise<boolean> {
    const gone = await this.rows.removeBatch(this.config.COMPILE_CACHE * MIB, BATCH);
    for (const content of await this.rows.unused(gone.filter((content) => content !== null))) {
      await this.blobs.delete(moduleKey(content));
      await this.blobs.delete(symbolsKey(content));
    }
    return gone.length === BATCH;
  }
}
