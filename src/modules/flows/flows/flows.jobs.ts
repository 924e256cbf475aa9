import { Injectable } from '@nestjs/common';
import { Removal } from '../../../platform/holdings/removal.js';
import { defineJob } from '../../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../../platform/jobs/on-job.js';
import { FLOW_TABLES } from './flows.repository.js';

/** Deletes the data of deleted workflows: runs, storage and versions. */
export const FLOW_PURGE = defineJob<{ flowIds: readonly string[] }>('flow.purge');

/** Jobs of workflows. */
@Injectable()
export class FlowsJobs {
  constructor(private readonly removal: Removal) {}

  @OnJob(FLOW_PURGE)
  async purge({ flowIds }: { flowIds: readonly string[] }, { signal }: JobContext): Promise<void> {
    for (const id of flowIds) for (const rows of FLOW_TABLES) await this.removal.rows(rows, id, signal);
  }
}
