import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { TemporaryBlobs } from '../../../platform/blobs/temporary-blobs.js';
import { loggedListeners, type Listeners } from '../../../platform/callbacks/listeners.js';
import { Outcomes, type Outcome } from '../../../platform/callbacks/outcomes.js';
import { NotFound, ValidationError } from '../../../lib/errors/errors.js';
import { defineJob } from '../../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../../platform/jobs/on-job.js';
import { createZip, type ZippedFile } from '../../../lib/zip/zip.js';
import { DEVICES } from '../devices/device.resource.js';
import { columnNames, DataFile, type DataFileOptions } from './data-file.js';
import { DeviceDataLines } from './device-data-lines.js';
import { LINK_SECONDS, linkOutcome } from './export-link.js';
import { pagesOf, streamOf } from './pages.js';
import {
  ExportedDevicesRepository,
  type ExportedDevice,
  type SelectedDevices,
} from './exported-devices.repository.js';
import { loggedDevices } from './logged-devices.js';
import type { Span } from './span.js';

/** Export of device data. */
export interface DataExport {
  operation: 'device.export' | 'data.export';
  /** Human-readable title of the export. */
  title: string;
  devices: SelectedDevices;
  span: Span;
  options: DataFileOptions;
  /** One device, all devices in one file, or a zip file with one file per device. */
  layout: 'device' | 'shared' | 'zip';
  listeners: Listeners;
}

/** Stores only the outcome of the job, because a `callbackUrl` may contain a secret of its receiver. */
export const DATA_EXPORT = defineJob<DataExport>('data.export', {
  timeoutMs: 6 * 60 * 60_000,
  erasesPayload: true,
  notifies: true,
  log: ({ operation, devices, span, listeners }) => ({
    ...loggedDevices(operation, devices),
    input: { ...loggedListeners(listeners), ...span },
  }),
});

const MAX_COLUMNS = 1_000;
/** The directory of a zip file is held in memory until the file is complete. */
const MAX_FILES = 10_000;

/** Exports device data. */
@Injectable()
export class DataExportJob {
  constructor(
    private readonly devices: ExportedDevicesRepository,
    private readonly data: DeviceDataLines,
    private readonly blobs: TemporaryBlobs,
    private readonly outcomes: Outcomes,
  ) {}

  @OnJob(DATA_EXPORT)
  async run(task: DataExport, job: JobContext): Promise<void> {
    const { operation: type, title, listeners } = task;
    const { applicationId } = task.devices;
    await this.outcomes.runAndNotify({ type, title, applicationId, listeners }, job, () =>
      this.export(task, job),
    );
  }

  private async export(task: DataExport, job: JobContext): Promise<Outcome> {
    const { name, type, content } = await this.fileOf(task, job);
    const key = `exports/${job.id}${name.slice(name.lastIndexOf('.'))}`;
    await this.blobs.put(key, content, { contentType: type });
    return linkOutcome(await this.blobs.link(key, name, LINK_SECONDS));
  }

  private async fileOf(
    task: DataExport,
    job: JobContext,
  ): Promise<{ name: string; type: string; content: Readable }> {
    switch (task.layout) {
      case 'device': {
        const [device] = await this.devices.page(task.devices, '');
        if (!device) throw new NotFound(DEVICES.title);
        const content = streamOf(this.linesOfOne(task, device, job));
        return { name: fileName(device), type: 'text/csv', content };
      }
      case 'shared': {
        const file = new DataFile(await this.columnsOf(task, job), task.options, true);
        return { name: 'devices.csv', type: 'text/csv', content: streamOf(this.linesOfAll(task, file, job)) };
      }
      case 'zip':
        return { name: 'devices.zip', type: 'application/zip', content: createZip(this.filesOf(task, job)) };
    }
  }

  private async *linesOfOne(
    task: DataExport,
    device: ExportedDevice,
    job: JobContext,
  ): AsyncGenerator<string> {
    const file = new DataFile(columnNames(device, task.options), task.options, false);
    yield file.heading;
    yield* this.linesOf(task, file, device, job);
  }

  private async *linesOfAll(task: DataExport, file: DataFile, job: JobContext): AsyncGenerator<string> {
    yield file.heading;
    for await (const device of this.selected(task, job)) yield* this.linesOf(task, file, device, job);
  }

  private async *filesOf(task: DataExport, job: JobContext): AsyncGenerator<ZippedFile> {
    let files = 0;
    for await (const device of this.selected(task, job)) {
      if (++files > MAX_FILES)
        throw new ValidationError(`An export can contain at most ${MAX_FILES} files: select fewer devices`);
      yield { name: fileName(device), content: streamOf(this.linesOfOne(task, device, job)) };
    }
  }

  private linesOf(
    { devices: { applicationId }, span, options }: DataExport,
    file: DataFile,
    device: ExportedDevice,
    { signal }: JobContext,
  ): AsyncGenerator<string> {
    return this.data.lines({ applicationId, span, options }, file, device, signal);
  }

  /** Yields the selected devices and reports the progress of the job. */
  private async *selected(task: DataExport, job: JobContext): AsyncGenerator<ExportedDevice> {
    const total = await this.devices.count(task.devices);
    let completed = 0;
    for await (const page of pagesOf((after) => this.devices.page(task.devices, after), job)) {
      yield* page;
      completed += page.length;
      await job.progress({ completed, total: Math.max(total, completed), status: 'devices exported' });
    }
  }

  /** Returns the columns of a shared file: the requested attributes, or all attributes of any of its devices. */
  private async columnsOf(task: DataExport, job: JobContext): Promise<string[]> {
    const { attributes } = task.options;
    if (attributes) return [...new Set(attributes)];
    const names = new Set<string>();
    for await (const page of pagesOf((after) => this.devices.page(task.devices, after), job)) {
      for (const device of page) for (const name of columnNames(device, task.options)) names.add(name);
      if (names.size > MAX_COLUMNS)
        throw new ValidationError(
          `The devices have more than ${MAX_COLUMNS} attributes: select attributes or request a file per device`,
        );
    }
    return [...names];
  }
}

/** Returns a file name that starts with the device's name, reduced to characters valid on every file system. */
function fileName({ id, name }: ExportedDevice): string {
  const plain = name.replace(/[^\w-]+/g, '-').slice(0, 64);
  return `${plain}-${id}.csv`;
}
