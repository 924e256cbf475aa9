import { Injectable } from '@nestjs/common';
import { Config, PROCESS_ROLES } from '../../../config/config.js';
import { PeriodicTask } from '../../../platform/database/periodic-task.js';
import { RunsIn } from '../../../platform/processes/roles.js';
import { commitsFolder } from '../application-bundles/bundle-commits.js';
import { importsFolder } from './importer.js';
import { removeAbandoned } from '../../../lib/files/work-folder.js';

const INTERVAL_MS = 60 * 60 * 1000;

/**
 * Removes files that killed imports and commits left on the disk. Runs in every process, because every process handles
 * small imports.
 */
@Injectable()
@RunsIn(...PROCESS_ROLES)
export class AbandonedImportsRemoval extends PeriodicTask {
  constructor(private readonly config: Config) {
    super(INTERVAL_MS, 'Files of abandoned imports could not be removed');
  }

  protected override async runBatch(): Promise<boolean> {
    await removeAbandoned(importsFolder(this.config));
    await removeAbandoned(commitsFolder(this.config));
    return false;
  }
}
