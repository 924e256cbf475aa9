import { Injectable } from '@nestjs/common';
import { TemporaryBlobs } from '../../../platform/blobs/temporary-blobs.js';
import { loggedListeners, type Listeners } from '../../../platform/callbacks/listeners.js';
import { Outcomes, type Outcome } from '../../../platform/callbacks/outcomes.js';
import { csvLines } from '../../../lib/csv/csv.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { defineJob } from '../../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../../platform/jobs/on-job.js';
import { LINK_SECONDS, linkOutcome } from './export-link.js';
import {
  ExportedDevicesRepository,
  type ListedDevice,
  type SelectedDevices,
} from './exported-devices.repository.js';
import { loggedDevices } from './logged-devices.js';
import { pagesOf, streamOf } from './pages.js';

export type ListFormat = 'csv' | 'json';

/** Export of the list of devices. */
export interface ListExport {
  devices: SelectedDevices;
  format: ListFormat;
  listeners: Listeners;
}

export const LIST_EXPORT = defineJob<ListExport>('devices.export', {
  timeoutMs: 60 * 60_000,
  erasesPayload: true,
  notifies: true,
  log: ({ devices, listeners }) => ({
    ...loggedDevices('devices.export', devices),
    input: loggedListeners(listeners),
  }),
});

const TYPES: Readonly<Record<ListFormat, string>> = { csv: 'text/csv', json: 'application/json' };
const MAX_COLUMNS = 1_000;

/** Exports lists of devices. */
@Injectable()
export class ListExportJob {
  constructor(
    private readonly devices: ExportedDevicesRepository,
    private readonly blobs: TemporaryBlobs,
    private readonly outcomes: Outcomes,
  ) {}

  @OnJob(LIST_EXPORT)
  async run(task: ListExport, job: JobContext): Promise<void> {
    const { listeners, devices } = task;
    const { applicationId } = devices;
    const about = { type: 'devices.export', title: 'The export of devices', applicationId, listeners };
    await this.outcomes.runAndNotify(about, job, () => this.export(task, job));
  }

  private async export(task: ListExport, job: JobContext): Promise<Outcome> {
    const { format } = task;
    const content = streamOf(format === 'csv' ? this.lines(task, job) : this.json(task, job));
    const key = `exports/${job.id}.${format}`;
    await this.blobs.put(key, content, { contentType: TYPES[format] });
    return linkOutcome(await this.blobs.link(key, `devices.${format}`, LINK_SECONDS));
  }

  private async *lines(task: ListExport, job: JobContext): AsyncGenerator<string> {
    const keys = await this.tagKeys(task, job);
    yield csvLines([['Name', 'ID', 'Description', 'Device Class', ...keys]]);
    for await (const page of this.pages(task, job)) {
      yield csvLines(
        page.map((device) => {
          const { name, id, description, deviceClass } = device;
          const tags = tagsOf(device);
          return [name, id, description, deviceClass, ...keys.map((key) => tags.get(key)?.join(', '))];
        }),
      );
    }
  }

  private async *json(task: ListExport, job: JobContext): AsyncGenerator<string> {
    let before = '[';
    for await (const page of this.pages(task, job)) {
      yield before + page.map((device) => JSON.stringify(shown(device))).join(',\n');
      before = ',\n';
    }
    yield before === '[' ? '[]\n' : ']\n';
  }

  private async tagKeys(task: ListExport, job: JobContext): Promise<string[]> {
    const keys = new Set<string>();
    for await (const page of this.pages(task, job)) {
      for (const { tags } of page) for (const { key } of tags) keys.add(key);
      if (keys.size > MAX_COLUMNS)
        throw new ValidationError(`The devices have more than ${MAX_COLUMNS} tag keys: request JSON instead`);
    }
    return [...keys].sort();
  }

  private pages({ devices }: ListExport, job: JobContext): AsyncGenerator<ListedDevice[]> {
    return pagesOf((after) => this.devices.listPage(devices, after), job);
  }
}

/** Returns the tag values of a device by key. */
function tagsOf({ tags }: ListedDevice): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const { key, value } of tags) values.set(key, [...(values.get(key) ?? []), value]);
  return values;
}

const shown = (device: ListedDevice): object => ({
  name: device.name,
  id: device.id,
  description: device.description ?? undefined,
  deviceClass: device.deviceClass,
  tags: Object.fromEntries(tagsOf(device)),
});
