import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { Retention } from '../../platform/database/retention.js';

/** Removes runs of workflows after 30 days. Their ids begin with the second in which they were made, in hexadecimal. */
@Injectable()
export class FlowRunRetention extends Retention {
  constructor(database: Database) {
    super(database, {
      tables: ['flow_runs'],
      column: 'id',
      oldest: `to_hex(extract(epoch FROM now() - interval '30 days')::bigint)`,
    });
  }
}

/** Removes what such runs add up to. */
@Injectable()
export class FlowRunSumRetention extends Retention {
  constructor(database: Database) {
    super(database, { tables: ['flow_run_sums'], column: 'until', oldest: `now() - interval '30 days'` });
  }
}
