import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { PayloadChannel } from '../../../platform/payloads/payload-types.js';
import { DeviceEvents } from '../device-streams/device-events.js';
import { DeviceTriggers, type ReportedStates } from '../device-triggers/device-triggers.js';
import type { ReportingDevice } from '../devices/reporting-devices.repository.js';
import { DevicePointsRepository } from './device-points.repository.js';
import type { DeviceReport } from './report-batch.js';
import { Batches } from './report-batches.js';
import type { TakenState } from './taken-states.js';

/** What a device said in one request, as far as it is taken. */
export interface TakenReport {
  device: ReportingDevice;
  states: readonly TakenState[];
  /** Whether they came as a list. */
  isBatch: boolean;
  /** Who sent it, and on which way. */
  channel: PayloadChannel;
  /** As how many payloads it counts; absent, each state is one. */
  payloads?: number;
}

const AT_ONCE = 3;
/** Points of a statement. */
const MOST_POINTS = 10_000;
/** Points that may wait: some seconds of work. */
const MOST_WAITING = 200_000;

/**
 * Stores what devices report, many reports in one statement, and tells workflows and streams of it. Each is answered when its
 * statement has committed.
 */
@Injectable()
export class DeviceReports implements OnModuleDestroy {
  /** Tells which applications have workflows that listen. */
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
   * Stores a report. Where it fails because the connection to the database was lost it may be stored all the same: it may be
   * repeated, which changes nothing.
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

/** The states by the version of workflows that they ask for. */
function heardOf({ device, states, isBatch }: TakenReport): ReportedStates[] {
  const versions = new Map<string | undefined, ReportedStates['states'][number][]>();
  for (const { time, data, meta, flowVersion } of states) {
    const received = versions.get(flowVersion) ?? [];
    versions.set(flowVersion, received);
    received.push({ time: new Date(time), data, meta });
  }
  return [...versions].map(([flowVersion, received]) => ({ device, states: received, isBatch, flowVersion }));
}
