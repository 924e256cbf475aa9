import { Injectable } from '@nestjs/common';
import { JobAuthor, type AuthorSnapshot } from '../../../platform/audit/author.js';
import { loggedListeners, type Listeners } from '../../../platform/callbacks/listeners.js';
import { Outcomes } from '../../../platform/callbacks/outcomes.js';
import { Database } from '../../../platform/database/database.js';
import { defineJob } from '../../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../../platform/jobs/on-job.js';
import { DeviceBulkRepository } from './device-bulk.repository.js';
import {
  DeviceBulkService,
  noCounts,
  type BulkCounts,
  type BulkTask,
  type SaveProgress,
} from './device-bulk.service.js';

/** Payload of a bulk job. */
export interface DeviceBulkJob extends BulkTask {
  applicationId: string;
  /** ID of the API operation that enqueued the job. */
  operation: string;
  by: AuthorSnapshot;
  listeners: Listeners;
}

/** Job that runs a bulk operation on devices. When it is retried, it continues after the last device it processed. */
export const DEVICE_BULK = defineJob<DeviceBulkJob>('devices.bulk', {
  timeoutMs: 60 * 60_000,
  notifies: true,
  log: ({ applicationId, operation, listeners }) => ({
    applicationId,
    operation,
    resourceType: 'device',
    input: loggedListeners(listeners),
  }),
});

/** Progress of a job, and its counts of devices. Failed devices are stored as separate rows. */
interface BulkProgress extends Omit<BulkCounts, 'faults'> {
  after: string;
}

/** Name of the count of processed devices in the log. */
const DONE = { patch: 'written', delete: 'removed', restore: 'restored' } as const;

/** Handles bulk jobs. */
@Injectable()
export class DeviceBulkJobs {
  constructor(
    private readonly rows: DeviceBulkRepository,
    private readonly bulk: DeviceBulkService,
    private readonly outcomes: Outcomes,
    private readonly database: Database,
  ) {}

  @OnJob(DEVICE_BULK)
  run(payload: DeviceBulkJob, job: JobContext): Promise<object | undefined> {
    const { applicationId, operation, listeners } = payload;
    const title = `The operation ${operation}`;
    return this.outcomes.runAndNotify({ type: operation, title, applicationId, listeners }, job, async () => {
      const counts = await this.walk(payload, job);
      const { done, skipped, faults } = counts;
      const logLink = await this.bulk.logLink(counts);
      const told = `Processed ${done} devices; ${skipped} did not need a change, and ${faults.length} failed.`;
      return {
        data: { done, skipped, failed: faults.length, logLink },
        output: { [DONE[payload.act.kind]]: done, failed: faults.length },
        text: logLink ? `${told}\n\nList of failed devices, available for 24 hours:\n${logLink}` : told,
      };
    });
  }

  private async walk({ applicationId, act, selection, by }: DeviceBulkJob, job: JobContext) {
    const { after: start, ...kept }: BulkProgress = (job.state as BulkProgress | undefined) ?? {
      ...noCounts(),
      after: '',
    };
    const counts: BulkCounts = { ...kept, faults: await this.rows.faults(job.id) };
    let noted = counts.faults.length;
    const keep: SaveProgress = async (id, { done, skipped, faults: { length } }, transaction) => {
      await this.rows.recordFaults(job.id, counts.faults.slice(noted), transaction);
      await job.saveState({ after: id, done, skipped } satisfies BulkProgress, transaction);
      transaction.afterCommit(async () => void (noted = length));
    };
    const author = new JobAuthor(by);
    for (let after: string | undefined = start; after !== undefined;) {
      job.signal.throwIfAborted();
      const application = await this.rows.application(applicationId);
      const window = await this.rows.window(application, selection, act.kind === 'restore', after);
      await this.bulk.act(application, window.ids, act, author, counts, keep);
      const { last } = window;
      if (last) await this.database.transaction((transaction) => keep(last, counts, transaction));
      const completed = counts.done + counts.skipped + counts.faults.length;
      await job.progress({ completed, total: completed, status: 'Processing the devices' });
      after = last;
    }
    return counts;
  }
}
