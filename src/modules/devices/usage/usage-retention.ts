import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { Retention } from '../../../platform/database/retention.js';
import { DAY_RETENTION_START, HOUR_RETENTION_START, ONE_DAY, ONE_HOUR } from './usage.columns.js';

const TABLES = ['application_payload_sums', 'owner_payload_sums'];

/** Deletes hourly sums of payloads after the retention period. */
@Injectable()
export class PayloadHoursRetention extends Retention {
  constructor(database: Database) {
    super(database, { tables: TABLES, column: 'start', oldest: HOUR_RETENTION_START, where: ONE_HOUR });
  }
}

/** Deletes daily sums of payloads after the retention period. */
@Injectable()
export class PayloadDaysRetention extends Retention {
  constructor(database: Database) {
    super(database, { tables: TABLES, column: 'start', oldest: DAY_RETENTION_START, where: ONE_DAY });
  }
}

/** Deletes monthly summaries after the retention period. */
@Injectable()
export class HistoricalSummariesRetention extends Retention {
  constructor(database: Database) {
    super(database, {
      tables: ['historical_summaries'],
      column: 'current_period_start',
      oldest: DAY_RETENTION_START,
    });
  }
}
