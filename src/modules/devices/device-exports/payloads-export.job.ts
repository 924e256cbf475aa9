import { Injectable } from '@nestjs/common';
import { TemporaryBlobs } from '../../../platform/blobs/temporary-blobs.js';
import { loggedListeners, type Listeners } from '../../../platform/callbacks/listeners.js';
import { Outcomes, type Outcome } from '../../../platform/callbacks/outcomes.js';
import { csvLines } from '../../../lib/csv/csv.js';
import { defineJob } from '../../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../../platform/jobs/on-job.js';
import { DeviceUsageService } from '../usage/device-usage.service.js';
import { DEVICE_PAYLOADS } from '../usage/usage.schemas.js';
import { LINK_SECONDS, linkOutcome } from './export-link.js';
import { ExportedDevicesRepository, type SelectedDevices } from './exported-devices.repository.js';
import { loggedDevices } from './logged-devices.js';
import { pagesOf, streamOf } from './pages.js';
import type { Span } from './span.js';

/** Export of payload counts of devices. */
export interface PayloadsExport {
  devices: SelectedDevices;
  span: Span;
  listeners: Listeners;
}

export const PAYLOADS_EXPORT = defineJob<PayloadsExport>('devices.payloadCounts', {
  timeoutMs: 60 * 60_000,
  erasesPayload: true,
  notifies: true,
  log: ({ devices, span, listeners }) => ({
    ...loggedDevices('devices.payloadCounts', devices),
    input: { ...loggedListeners(listeners), ...span },
  }),
});

/** Exports payload counts of devices. */
@Injectable()
export class PayloadsExportJob {
  constructor(
    private readonly devices: ExportedDevicesRepository,
    private readonly usage: DeviceUsageService,
    private readonly blobs: TemporaryBlobs,
    private readonly outcomes: Outcomes,
  ) {}

  @OnJob(PAYLOADS_EXPORT)
  async run(task: PayloadsExport, job: JobContext): Promise<void> {
    const { listeners, devices } = task;
    const title = 'The export of the payload counts of devices';
    const about = { type: 'devices.payloadCounts', title, applicationId: devices.applicationId, listeners };
    await this.outcomes.runAndNotify(about, job, () => this.export(task, job));
  }

  private async export(task: PayloadsExport, job: JobContext): Promise<Outcome> {
    const key = `exports/${job.id}.csv`;
    await this.blobs.put(key, streamOf(this.lines(task, job)), { contentType: 'text/csv' });
    return linkOutcome(await this.blobs.link(key, 'payload-counts.csv', LINK_SECONDS));
  }

  private async *lines({ devices, span }: PayloadsExport, job: JobContext): AsyncGenerator<string> {
    yield csvLines([['Name', 'ID', ...DEVICE_PAYLOADS]]);
    const time = { start: new Date(span.start), end: new Date(span.end) };
    for await (const page of pagesOf((after) => this.devices.listPage(devices, after), job)) {
      const ids = page.map(({ id }) => id);
      const counts = await this.usage.payloadCountsOfAll(devices.applicationId, ids, time);
      yield csvLines(
        page.map(({ id, name }) => [name, id, ...DEVICE_PAYLOADS.map((type) => counts.get(id)![type])]),
      );
    }
  }
}
