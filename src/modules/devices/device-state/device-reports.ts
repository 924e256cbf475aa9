import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { PayloadChannel } from '../../../platform/payloads/payload-types.js';
import { DeviceEvents } from '../device-streams/device-events.js';
import { DeviceTriggers, type ReportedStates } from '../device-triggers/device-triggers.js';
import type { ReportingDevice } from '../devices/reporting-devices.repository.js';
import { DevicePointsRepository } from './device-points.repository.js';
import type { DeviceReport } from './report-batch.js';
import { Batches } from './report-batches.js';
import type { TakenState } from './taken-states.js';

/** Accepted part of a device's report in one request. */
export interface TakenReport {
  device: ReportingDevice;
  states: readonly TakenState[];
  /** Whether the states were sent as an array. */
  isBatch: boolean;
  /** Sender of the report and transport. */
  channel: PayloadChannel;
  /** Number of payloads to count; defaults to one per state. */
  payloads?: number;
}

const AT_ONCE = 3;
/** Maximum number of points per statement. */
const MOST_POINTS = 10_000;
/** Maximum number of queued points, equivalent to a few seconds of work. */
const MOST_WAITING = 200_000;

/**
 * Stores device reports, many per statement, and notifies workflows and streams. Each report is confirmed after its
 * statement has been committed.
 */
@Injectable()
export class DeviceReports implements OnModuleDestroy {
  /** Resolves to the applications that have workflows with a trigger for reports. */
  private readonly stored: Batches<TakenReport, ReadonlySet<string>>;
  private readonly heard: Batches<TakenReport>;

  constructor(
    points: DevicePointsRepository,
    triggers: DeviceTriggers,
    private readonly events: DeviceEvents,
  ) {
    const sizes = {
      atOnce: AT_ONCE,
      most: MOST_POINTS,
      mostWaiting: MOST_WAITING,
      sizeOf: ({ states }: TakenReport) => states.reduce((size, { points: { length } }) => size + length, 1),
    };
    this.stored = new Batches({ ...sizes, work: (batch) => points.store(batch.map(storedOf)) });
    this.heard = new Batches({
      ...sizes,
      work: (batch) => triggers.state(batch.flatMap(heardOf)),
    });
  }

  /**
   * Stores a report. If it fails because the database connection was lost, the report may still have been stored;
   * repeating it is idempotent.
   */
  async report(report: TakenReport): Promise<void> {
    const { device, states } = report;
    const listening = await this.stored.add(report);
    this.events.state(
      device.id,
      states.map(({ time, data, meta }) => ({ time: new Date(time), data, meta })),
    );
    if (listening.has(device.applicationId) || states.some(({ flowVersion }) => flowVersion !== undefined))
      await this.heard.add(report);
  }

  async onModuleDestroy(): Promise<void> {
    await this.stored.end();
    await this.heard.end();
  }
}

const storedOf = ({ device, states, channel, payloads = states.length }: TakenReport): DeviceReport => ({
  applicationId: device.applicationId,
  deviceId: device.id,
  points: states.flatMap(({ points }) => points),
  payloads,
  bytes: states.reduce((bytes, { data }) => bytes + Buffer.byteLength(JSON.stringify(data)), 0),
  channel,
});

/** Groups the states by the requested version of workflows. */
function heardOf({ device, states, isBatch }: TakenReport): ReportedStates[] {
  const versions = new Map<string | undefined, ReportedStates['states'][number][]>();
  for (const { time, data, meta, flowVersion } of states) {
    const received = versions.get(flowVersion) ?? [];
    versions.set(flowVersion, received);
    received.push({ time: new Date(time), data, meta });
  }
  return [...versions].map(([flowVersion, received]) => ({ device, states: received, isBatch, flowVersion }));
}
