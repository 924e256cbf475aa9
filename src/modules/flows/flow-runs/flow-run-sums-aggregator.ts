import { Injectable } from '@nestjs/common';
import { AGGREGATION_INTERVAL_MS } from '../../../platform/counts/aggregate-deltas.js';
import { PeriodicTask } from '../../../platform/database/periodic-task.js';
import { FlowRunSumsRepository } from './flow-run-sums.repository.js';

/** Keeps the sums of runs up to date. Runs in every worker. */
@Injectable()
export class FlowRunSumsAggregator extends PeriodicTask {
  constructor(private readonly sums: FlowRunSumsRepository) {
    super(AGGREGATION_INTERVAL_MS, 'Could not aggregate the runs of workflows');
  }

  protected override runBatch(): Promise<boolean> {
    return this.sums.aggregate();
  }
}
