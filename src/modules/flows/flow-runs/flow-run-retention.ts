import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { Retention } from '../../../platform/database/retention.js';
import { RUN_RETENTION_START_ID, SUM_RETENTION_START } from './flow-run.columns.js';

/** Deletes runs of workflows, their traces and their payloads after 30 days. The IDs of all start with the time in seconds. */
@Injectable()
export class FlowRunRetention extends Retention {
  constructor(database: Database) {
    super(database, {
      tables: ['flow_runs', 'flow_run_traces', 'flow_run_payloads'],
      column: 'id',
      oldest: RUN_RETENTION_START_ID,
    });
  }
}

/** Deletes sums of runs after 30 days. */
@Injectable()
export class FlowRunSumRetention extends Retention {
  constructor(database: Database) {
    super(database, { tables: ['flow_run_sums'], column: 'until', oldest: SUM_RETENTION_START });
  }
}
