import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { PeriodicTask } from '../../../platform/database/periodic-task.js';
import { Retention } from '../../../platform/database/retention.js';
import { EndpointRequestsRepository } from './endpoint-requests.repository.js';
import { OLDEST_REQUESTS } from './request.columns.js';

const INTERVAL_MS = 1_000;

/** Aggregates requests in every worker. */
@Injectable()
export class EndpointRequestsAggregator extends PeriodicTask {
  constructor(private readonly requests: EndpointRequestsRepository) {
    super(INTERVAL_MS, 'Could not aggregate the requests to experiences');
  }

  protected override runBatch(): Promise<boolean> {
    return this.requests.aggregate();
  }
}

/** Deletes request sums after 30 days. */
@Injectable()
export class EndpointRequestRetention extends Retention {
  constructor(database: Database) {
    super(database, { tables: ['experience_request_sums'], column: 'until', oldest: OLDEST_REQUESTS });
  }
}
