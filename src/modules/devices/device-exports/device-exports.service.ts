import { Injectable } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { writeEntry } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import type { ListenersQuery } from '../../../platform/callbacks/listener-fields.js';
import { JobListeners } from '../../../platform/callbacks/listeners.js';
import { Database } from '../../../platform/database/database.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { JobDefinition } from '../../../platform/jobs/job-definition.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import { partsOf } from '../usage/usage-window.js';
import type { DeviceSelection } from '../devices/device-selection.js';
import { DATA_EXPORT, type DataExport } from './data-export.job.js';
import type {
  RequestedOptions,
  DeviceDataExport,
  DevicesDataExport,
  DevicesExportPayloadCountPost,
  DevicesExportPost,
} from './data-export.schemas.js';
import type { DeviceExportQuery } from './device-exports.query.js';
import { exportEntry, type NamedSubject } from './export-entry.js';
import { ExportTurnsRepository } from './export-turns.repository.js';
import { ExportedDevicesRepository, type SelectedDevices } from './exported-devices.repository.js';
import { LIST_EXPORT, type ListExport } from './list-export.job.js';
import { PAYLOADS_EXPORT, type PayloadsExport } from './payloads-export.job.js';
import { spanOf } from './span.js';

/** Names of the request bodies in error messages. */
const DEVICE = 'deviceDataExport';
const DATA = 'devicesDataExport';
const LIST = 'devicesExportPost';
const PAYLOADS = 'devicesExportPayloadCountPost';
const PAYLOADS_MS = 30 * 86_400_000;

/** Enqueues exports of devices and their data. */
@Injectable()
export class DeviceExportsService {
  constructor(
    private readonly devices: ExportedDevicesRepository,
    private readonly turns: ExportTurnsRepository,
    private readonly listeners: JobListeners,
    private readonly jobs: JobsService,
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /** Enqueues an export of a device's data. Query parameters are the defaults for values that the body omits. */
  async exportDevice(
    application: ApplicationAccess,
    deviceId: string,
    body: DeviceDataExport,
    query: DeviceExportQuery,
    by: Author,
  ): Promise<JobEnqueuedResult> {
    const { name, applicationName } = await this.devices.named(application, deviceId);
    const span = spanOf(body, query, DEVICE);
    const { email = query.email, callbackUrl = query.callbackUrl } = body;
    const listeners = this.listeners.resolve({ email, callbackUrl }, by, DEVICE);
    const task: DataExport = {
      operation: 'device.export',
      title: `The export of the data of ${name}`,
      devices: selected(application, { deviceIds: [deviceId] }),
      span,
      options: optionsOf({ includeBlobData: query.includeBlobData, ...body.options }, body.attributes),
      layout: 'device',
      listeners,
    };
    const subject = { turn: deviceId, applicationName, device: { id: deviceId, name } };
    return this.enqueue(application, subject, DATA_EXPORT, task, by);
  }

  /** Enqueues an export of the data of several devices. */
  async exportData(
    application: ApplicationAccess,
    body: DevicesDataExport,
    by: Author,
  ): Promise<JobEnqueuedResult> {
    const { deviceIds, deviceTags, deviceQuery, options = {} } = body;
    if (!deviceIds && !deviceTags && !deviceQuery)
      throw new ValidationError(`${DATA}.deviceIds, ${DATA}.deviceTags or ${DATA}.deviceQuery is required`);
    if (deviceQuery) this.devices.checkQuery(deviceQuery, `${DATA}.deviceQuery`);
    const task: DataExport = {
      operation: 'data.export',
      title: 'The export of the data of devices',
      devices: selected(application, { deviceIds, deviceTags, deviceQuery }),
      span: spanOf(body, { start: 1, end: Date.now() }, DATA),
      options: optionsOf(options, body.attributes),
      layout: options.filePerDevice ? 'zip' : 'shared',
      listeners: this.listeners.resolve(body, by, DATA),
    };
    const subject = { turn: application.id, applicationName: await this.devices.nameOf(application.id) };
    return this.enqueue(application, subject, DATA_EXPORT, task, by);
  }

  /** Enqueues an export of the list of devices. */
  async exportList(
    application: ApplicationAccess,
    body: DevicesExportPost,
    query: ListenersQuery,
    by: Author,
  ): Promise<JobEnqueuedResult> {
    const { query: deviceQuery = {}, format = 'csv', email = query.email } = body;
    const { callbackUrl = query.callbackUrl } = body;
    this.devices.checkQuery(deviceQuery, `${LIST}.query`);
    const task: ListExport = {
      devices: selected(application, { deviceQuery }),
      format,
      listeners: this.listeners.resolve({ email, callbackUrl }, by, LIST),
    };
    const subject = { turn: 'devices', applicationName: await this.devices.nameOf(application.id) };
    return this.enqueue(application, subject, LIST_EXPORT, task, by);
  }

  /** Enqueues an export of payload counts of devices. */
  async exportPayloads(
    application: ApplicationAccess,
    body: DevicesExportPayloadCountPost,
    by: Author,
  ): Promise<JobEnqueuedResult> {
    const { query: deviceQuery = {} } = body;
    this.devices.checkQuery(deviceQuery, `${PAYLOADS}.query`);
    const now = Date.now();
    const span = spanOf(body, { start: now - PAYLOADS_MS, end: now }, PAYLOADS);
    partsOf({ start: new Date(span.start), end: new Date(span.end) });
    const task: PayloadsExport = {
      devices: selected(application, { deviceQuery }),
      span,
      listeners: this.listeners.resolve(body, by, PAYLOADS),
    };
    const subject = { turn: 'payloads', applicationName: await this.devices.nameOf(application.id) };
    return this.enqueue(application, subject, PAYLOADS_EXPORT, task, by);
  }

  private enqueue<Task extends object>(
    application: ApplicationAccess,
    subject: NamedSubject & { turn: string },
    job: JobDefinition<Task>,
    task: NoInfer<Task>,
    by: Author,
  ): Promise<JobEnqueuedResult> {
    return this.database.transaction(async (transaction) => {
      await this.turns.acquire(application.id, subject.turn, this.config.EXPORT_INTERVAL, transaction);
      await writeEntry(transaction.manager, by, exportEntry(application, subject));
      const jobId = await this.jobs.enqueue(transaction, job, task, by);
      return Object.assign(new JobEnqueuedResult(), { jobId });
    });
  }
}

const selected = ({ id, devices }: ApplicationAccess, selection: DeviceSelection): SelectedDevices => ({
  applicationId: id,
  selection,
  reach: devices,
});

function optionsOf(
  { includeID = true, includeDate = true, includeBlobData = false }: RequestedOptions,
  attributes: readonly string[] | undefined,
): DataExport['options'] {
  return { attributes, includeID, includeDate, includeBlobData };
}
