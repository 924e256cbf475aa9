import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { Retention } from '../../../platform/database/retention.js';
import { OLDEST_RUN, OLDEST_SUM } from './flow-run.columns.js';

/** Removes runs of workflows after 30 days, and what they were handed, whose ids begin with the same second. */
@Injectable()
export class FlowRunRetention extends Retention {
  constructor(database: Database) {
    super(database, { tables: ['flow_runs', 'flow_run_payloads'], column: 'id', oldest: OLDEST_RUN });
  }
}

/** Removes what such runs add up to. */
@Injectable()
export class FlowRunSumRetention extends Retention {
  constructor(database: Database) {
    super(database, { tables: ['flow_run_sums'], column: 'until', oldest: OLDEST_SUM });
  }
}
