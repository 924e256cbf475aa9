import { Injectable } from '@nestjs/common';
import { PeriodicTask } from '../../../platform/database/periodic-task.js';
import { FlowRunSumsRepository } from './flow-run-sums.repository.js';

/** Reads include pending deltas. The longer they collect, the fewer sums are updated for the same number of them. */
const INTERVAL_MS = 3_000;

/** Keeps the sums of runs up to date. Runs in every worker. */
@Injectable()
export class FlowRunSumsAggregator extends PeriodicTask {
  constructor(private readonly sums: FlowRunSumsRepository) {
    super(INTERVAL_MS, 'Could not aggregate the runs of workflows');
  }

  protected override runBatch(): Promise<boolean> {
    return this.sums.aggregate();
  }
}
