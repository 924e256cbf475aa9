import { Injectable } from '@nestjs/common';
import { loggedListeners, type Listeners } from '../../../platform/callbacks/listeners.js';
import { Outcomes, type Outcome } from '../../../platform/callbacks/outcomes.js';
import { Database } from '../../../platform/database/database.js';
import { defineJob } from '../../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../../platform/jobs/on-job.js';
import { DevicePointsRepository } from '../device-state/device-points.repository.js';
import {
  ExportedDevicesRepository,
  type ExportedDevice,
  type SelectedDevices,
} from './exported-devices.repository.js';
import { loggedDevices } from './logged-devices.js';
import { pagesOf } from './pages.js';
import { RemovedHistoryRepository, type History } from './removed-history.repository.js';
import type { Span } from './span.js';

/** Deletion of device data. */
export interface DataRemoval {
  operation: 'device.removeData' | 'devices.removeData';
  title: string;
  devices: SelectedDevices;
  span: Span;
  /** Names of the attributes; all attributes if `undefined`. */
  attributes?: readonly string[];
  /** Histories to delete in addition to points. */
  histories: readonly History[];
  listeners: Listeners;
}

export const DATA_REMOVAL = defineJob<DataRemoval>('data.remove', {
  timeoutMs: 6 * 60 * 60_000,
  erasesPayload: true,
  notifies: true,
  log: ({ operation, devices, span, listeners }) => ({
    ...loggedDevices(operation, devices),
    input: { ...loggedListeners(listeners), ...span },
  }),
});

/** Last device whose data was deleted, and the number of such devices. */
interface RemovalState {
  after: string;
  completed: number;
}

/** Deletes device data in batches. A retry continues after the last device that is done. */
@Injectable()
export class DataRemovalJob {
  constructor(
    private readonly devices: ExportedDevicesRepository,
    private readonly points: DevicePointsRepository,
    private readonly histories: RemovedHistoryRepository,
    private readonly outcomes: Outcomes,
    private readonly database: Database,
  ) {}

  @OnJob(DATA_REMOVAL)
  async run(task: DataRemoval, job: JobContext): Promise<void> {
    const { operation: type, title, listeners } = task;
    const { applicationId } = task.devices;
    await this.outcomes.runAndNotify({ type, title, applicationId, listeners }, job, () =>
      this.remove(task, job),
    );
  }

  private async remove(task: DataRemoval, job: JobContext): Promise<Outcome> {
    const total = await this.devices.count(task.devices);
    let { after, completed }: RemovalState = (job.state as RemovalState | undefined) ?? {
      after: '',
      completed: 0,
    };
    for await (const page of pagesOf((id) => this.devices.page(task.devices, id), job, after)) {
      for (const device of page) {
        await this.removeOf(device, task, job.signal);
        after = device.id;
        completed += 1;
        const state: RemovalState = { after, completed };
        await this.database.transaction((transaction) => job.saveState(state, transaction));
      }
      await job.progress({ completed, total: Math.max(total, completed), status: 'devices done' });
    }
    return { data: { devices: completed }, text: `Devices: ${completed}.` };
  }

  private async removeOf(device: ExportedDevice, task: DataRemoval, signal: AbortSignal): Promise<void> {
    const { applicationId } = task.devices;
    const { start, end } = task.span;
    for (const attribute of task.attributes ? numbersOf(device, task.attributes) : [undefined])
      do signal.throwIfAborted();
      while (await this.points.removeBatch(applicationId, device.id, start, end - 1, attribute));
    for (const history of task.histories)
      do signal.throwIfAborted();
      while (await this.histories.removeBatch(history, applicationId, device.id, task.span));
  }
}

function numbersOf({ attributes }: ExportedDevice, names: readonly string[]): number[] {
  const wanted = new Set(names);
  return attributes.flatMap(({ name, number }) => (wanted.has(name) ? [number] : []));
}
