import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { Retention } from '../../../platform/database/retention.js';
import { OLDEST_DAY, OLDEST_HOUR, ONE_DAY, ONE_HOUR } from './usage.columns.js';

const TABLES = ['application_payload_sums', 'owner_payload_sums'];

/** Deletes hourly sums of payloads after the retention period. */
@Injectable()
export class PayloadHoursRetention extends Retention {
  constructor(database: Database) {
    super(database, { tables: TABLES, column: 'start', oldest: OLDEST_HOUR, where: ONE_HOUR });
  }
}

/** Deletes daily sums of payloads after the retention period. */
@Injectable()
export class PayloadDaysRetention extends Retention {
  constructor(database: Database) {
    super(database, { tables: TABLES, column: 'start', oldest: OLDEST_DAY, where: ONE_DAY });
  }
}

/** Deletes monthly summaries after the retention period. */
@Injectable()
export class HistoricalSummariesRetention extends Retention {
  constructor(database: Database) {
    super(database, {
      tables: ['historical_summaries'],
      column: 'current_period_start',
      oldest: OLDEST_DAY,
    });
  }
}
