import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import { JobListeners, type Listeners } from '../../../platform/callbacks/listeners.js';
import { Database } from '../../../platform/database/database.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { Reply } from '../../../platform/responses/stored-resources.js';
import { BulkDeleteResponse, JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import { DEVICE_BULK } from './device-bulk.jobs.js';
import { DeviceBulkRepository } from './device-bulk.repository.js';
import type {
  BulkRestoreResponse,
  DevicesDeleteOrRestorePost,
  DevicesPatch,
  DevicesUpdated,
} from './device-bulk.resource.js';
import { DeviceBulkService, noCounts, type BulkCounts, type BulkTask } from './device-bulk.service.js';

/** Maximum number of devices processed within the request; more are processed by a job. */
const MAX_SYNC_DEVICES = 100;
const BODY = 'devicesBulk';

type Answer<T> = Promise<T | Reply<JobEnqueuedResult>>;

/** Decides whether a bulk operation runs within the request or as a job. */
@Injectable()
export class DeviceBulkOperations {
  constructor(
    private readonly rows: DeviceBulkRepository,
    private readonly bulk: DeviceBulkService,
    private readonly database: Database,
    private readonly jobs: JobsService,
    private readonly listeners: JobListeners,
  ) {}

  async patch(application: ApplicationAccess, patch: DevicesPatch, by: Author): Answer<DevicesUpdated> {
    const { deviceIds, query, updateFields, updateOperations } = patch;
    if (deviceIds === undefined && query === undefined)
      throw new ValidationError('devicesPatch.deviceIds or devicesPatch.query is required');
    if (updateFields === undefined && updateOperations === undefined)
      throw new ValidationError('devicesPatch.updateFields or devicesPatch.updateOperations is required');
    const act = { kind: 'patch', updateFields, updateOperations } as const;
    const selection = { deviceIds, deviceQuery: query };
    const counts = await this.run(application, { act, selection }, patch, 'devices.patch', by);
    if (counts instanceof Reply) return counts;
    const { done, skipped, faults } = counts;
    return { updated: done, skipped, failed: faults.length, logLink: await this.bulk.logLink(counts) };
  }

  async delete(
    application: ApplicationAccess,
    post: DevicesDeleteOrRestorePost,
    by: Author,
  ): Answer<BulkDeleteResponse> {
    const task: BulkTask = { act: { kind: 'delete' }, selection: { deviceQuery: post.query } };
    const counts = await this.run(application, task, post, 'devices.delete', by);
    return counts instanceof Reply ? counts : { removed: counts.done, failed: counts.faults.length };
  }

  async restore(
    application: ApplicationAccess,
    post: DevicesDeleteOrRestorePost,
    by: Author,
  ): Answer<BulkRestoreResponse> {
    const task: BulkTask = { act: { kind: 'restore' }, selection: { deviceQuery: post.query } };
    const counts = await this.run(application, task, post, 'devices.restore', by);
    return counts instanceof Reply ? counts : { restored: counts.done, failed: counts.faults.length };
  }

  private async run(
    application: ApplicationAccess,
    task: BulkTask,
    asked: Listeners & { forceJob?: boolean },
    operation: string,
    by: Author,
  ): Answer<BulkCounts> {
    const { act, selection } = task;
    const ids = await this.rows.some(application, selection, act.kind === 'restore', MAX_SYNC_DEVICES);
    if (asked.forceJob || ids.length > MAX_SYNC_DEVICES)
      return this.enqueue(application, task, asked, operation, by);
    const counts = noCounts();
    await this.bulk.act(application, ids, act, by, counts);
    return counts;
  }

  private async enqueue(
    { id: applicationId }: ApplicationAccess,
    task: BulkTask,
    { email, callbackUrl }: Listeners,
    operation: string,
    by: Author,
  ): Promise<Reply<JobEnqueuedResult>> {
    const told = email !== undefined || callbackUrl !== undefined;
    const listeners = told ? this.listeners.resolve({ email, callbackUrl }, by, BODY) : {};
    const payload = { ...task, applicationId, operation, by: by.snapshot(), listeners };
    const jobId = await this.database.transaction((transaction) =>
      this.jobs.enqueue(transaction, DEVICE_BULK, payload, by),
    );
    return new Reply(202, Object.assign(new JobEnqueuedResult(), { jobId }));
  }
}
