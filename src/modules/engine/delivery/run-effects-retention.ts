import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { Retention } from '../../../platform/database/retention.js';
import { FIRST_OPEN_RUN } from './run-effects.repository.js';

/**
 * Deletes results of effects whose runs are finished. The finishing statement misses those that another beginning of the
 * run committed while it executed.
 */
@Injectable()
export class RunEffectsRetention extends Retention {
  constructor(database: Database) {
    super(database, { tables: ['run_effects'], column: 'seq', oldest: FIRST_OPEN_RUN });
  }
}
