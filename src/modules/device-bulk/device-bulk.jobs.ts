import { Injectable } from '@nestjs/common';
import { JobAuthor, type KeptAuthor } from '../../platform/audit/author.js';
import { loggedListeners, type Listeners } from '../../platform/callbacks/listeners.js';
import { Outcomes } from '../../platform/callbacks/outcomes.js';
import { defineJob } from '../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../platform/jobs/on-job.js';
import { DeviceBulkRepository } from './device-bulk.repository.js';
import { DeviceBulkService, noCounts, type BulkTask } from './device-bulk.service.js';

/** What a job is given that does something with many devices. */
export interface DeviceBulkJob extends BulkTask {
  applicationId: string;
  /** The operation that asked for it. */
  operation: string;
  by: KeptAuthor;
  listeners: Listeners;
}

/** Does something with many devices. What it has done is not selected again, so it may begin anew. */
export const DEVICE_BULK = defineJob<DeviceBulkJob>('devices.bulk', {
  timeoutMs: 60 * 60_000,
  tells: true,
  log: ({ applicationId, operation, listeners }) => ({
    applicationId,
    operation,
    resourceType: 'device',
    input: loggedListeners(listeners),
  }),
});

/** What a log calls those with which it was done. */
const DONE = { patch: 'written', delete: 'removed', restore: 'restored' } as const;

/** What is done for many devices after the request. */
@Injectable()
export class DeviceBulkJobs {
  constructor(
    private readonly rows: DeviceBulkRepository,
    private readonly bulk: DeviceBulkService,
    private readonly outcomes: Outcomes,
  ) {}

  @OnJob(DEVICE_BULK)
  run(payload: DeviceBulkJob, job: JobContext): Promise<object | undefined> {
    const { applicationId, operation, listeners } = payload;
    const title = `The operation ${operation}`;
    return this.outcomes.tellOf({ type: operation, title, applicationId, listeners }, job, async () => {
      const counts = await this.walk(payload, job);
      const { done, skipped, faults } = counts;
      const logLink = await this.bulk.logLink(counts);
      const told = `Done with ${done} devices; ${skipped} were so already, and ${faults.length} failed.`;
      return {
        data: { done, skipped, failed: faults.length, logLink },
        output: { [DONE[payload.act.kind]]: done, failed: faults.length },
        text: logLink ? `${told}\n\nThose that failed, for 24 hours:\n${logLink}` : told,
      };
    });
  }

  private async walk({ applicationId, act, selection, by }: DeviceBulkJob, job: JobContext) {
    const counts = noCounts();
    const author = new JobAuthor(by);
    for (let after: string | undefined = ''; after !== undefined;) {
      job.signal.throwIfAborted();
      const application = await this.rows.application(applicationId);
      const window = await this.rows.window(application, selection, act.kind === 'restore', after);
      await this.bulk.act(application, window.ids, act, author, counts);
      const completed = counts.done + counts.skipped + counts.faults.length;
      await job.progress({ completed, total: completed, status: 'Going through the devices' });
      after = window.last;
    }
    return counts;
  }
}
