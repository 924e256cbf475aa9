import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { writeEntry } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { JobListeners } from '../../../platform/callbacks/listeners.js';
import { Database } from '../../../platform/database/database.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import type { DevicesRemoveDataPost } from './data-export.schemas.js';
import { DATA_REMOVAL, type DataRemoval } from './data-removal.job.js';
import type { SpanQuery } from './device-exports.query.js';
import { exportEntry, type NamedSubject } from './export-entry.js';
import { ExportedDevicesRepository } from './exported-devices.repository.js';
import { spanOf } from './span.js';

const BODY = 'devicesRemoveDataPost';

/** Enqueues deletions of device data. */
@Injectable()
export class DataRemovalService {
  constructor(
    private readonly devices: ExportedDevicesRepository,
    private readonly listeners: JobListeners,
    private readonly jobs: JobsService,
    private readonly database: Database,
  ) {}

  /** Enqueues the deletion of a device's data. */
  async removeOfDevice(
    application: ApplicationAccess,
    deviceId: string,
    { start, end }: SpanQuery,
    by: Author,
  ): Promise<JobEnqueuedResult> {
    const { name, applicationName } = await this.devices.named(application, deviceId);
    if (start >= end) throw new ValidationError('end must be later than start');
    const task: DataRemoval = {
      operation: 'device.removeData',
      title: `The removal of the data of ${name}`,
      devices: {
        applicationId: application.id,
        selection: { deviceIds: [deviceId] },
        reach: application.devices,
      },
      span: { start: start.getTime(), end: end.getTime() },
      histories: ['commands', 'connections'],
      listeners: {},
    };
    return this.enqueue(application, { applicationName, device: { id: deviceId, name } }, task, by);
  }

  /** Enqueues the deletion of the data of devices that match a query. */
  async removeOfDevices(
    application: ApplicationAccess,
    body: DevicesRemoveDataPost,
    by: Author,
  ): Promise<JobEnqueuedResult> {
    const { query: deviceQuery, attributes, keepCommandHistory, keepConnectionHistory } = body;
    this.devices.checkQuery(deviceQuery, `${BODY}.query`);
    const task: DataRemoval = {
      operation: 'devices.removeData',
      title: 'The removal of the data of devices',
      devices: { applicationId: application.id, selection: { deviceQuery }, reach: application.devices },
      span: spanOf(body, { start: 1, end: Date.now() }, BODY),
      attributes: attributes ?? undefined,
      histories: [
        ...(keepCommandHistory ? [] : ['commands' as const]),
        ...(keepConnectionHistory ? [] : ['connections' as const]),
      ],
      listeners: this.listeners.resolveOptional(body, by, BODY),
    };
    const applicationName = await this.devices.nameOf(application.id);
    return this.enqueue(application, { applicationName }, task, by);
  }

  private enqueue(
    application: ApplicationAccess,
    subject: NamedSubject,
    task: DataRemoval,
    by: Author,
  ): Promise<JobEnqueuedResult> {
    return this.database.transaction(async (transaction) => {
      await writeEntry(transaction.manager, by, exportEntry(application, subject));
      const jobId = await this.jobs.enqueue(transaction, DATA_REMOVAL, task, by);
      return Object.assign(new JobEnqueuedResult(), { jobId });
    });
  }
}
