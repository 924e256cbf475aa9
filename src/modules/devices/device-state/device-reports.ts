import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { BatchQueue } from '../../../platform/database/batch-queue.js';
import type { PayloadChannel } from '../../../platform/payloads/payload-types.js';
import { DeviceEvents } from '../device-streams/device-events.js';
import { DeviceSilencesRepository } from '../device-triggers/device-silences.repository.js';
import type { Listening } from '../device-triggers/device-triggers.columns.js';
import { DeviceTriggers, type AnnouncedStates } from '../device-triggers/device-triggers.js';
import type { ReportingDevice } from '../devices/reporting-devices.repository.js';
import { DevicePointsRepository } from './device-points.repository.js';
import type { StoredReport } from './report-batch.js';
import type { AcceptedState } from './accepted-states.js';

/** Accepted part of a device's report in one request. */
export interface AcceptedReport {
  device: ReportingDevice;
  states: readonly AcceptedState[];
  /** Whether the states were sent as an array. */
  isBatch: boolean;
  /** Sender of the report and transport. */
  channel: PayloadChannel;
  /** Number of payloads to count; defaults to one per state. */
  payloads?: number;
  /** ID of the gateway that reported for the device. */
  gatewayId?: string;
  /** Report as received over MQTT. */
  message?: Buffer;
}

const MAX_CONCURRENT_BATCHES = 3;
/** Maximum number of points per statement. */
const MAX_BATCH_POINTS = 10_000;
/** Maximum number of queued points, equivalent to a few seconds of work. */
const MAX_QUEUED_POINTS = 200_000;

/**
 * Stores accepted reports, many per statement, and announces their states to streams and workflows. Each report is
 * confirmed after its statement has been committed.
 */
@Injectable()
export class DeviceReports implements OnModuleDestroy {
  private readonly storeBatches: BatchQueue<AcceptedReport, Listening>;
  private readonly heardBatches: BatchQueue<ReportingDevice>;
  private readonly triggerBatches: BatchQueue<AcceptedReport>;

  constructor(
    points: DevicePointsRepository,
    triggers: DeviceTriggers,
    silences: DeviceSilencesRepository,
    private readonly events: DeviceEvents,
  ) {
    const sizes = {
      concurrency: MAX_CONCURRENT_BATCHES,
      maxBatchSize: MAX_BATCH_POINTS,
      maxQueued: MAX_QUEUED_POINTS,
      full: 'Too many reports are waiting to be stored, try again',
      sizeOf: ({ states }: AcceptedReport) =>
        states.reduce((size, { points: { length } }) => size + length, 1),
    };
    this.storeBatches = new BatchQueue({ ...sizes, work: (batch) => points.store(batch.map(storedOf)) });
    this.triggerBatches = new BatchQueue({
      ...sizes,
      work: (batch) => triggers.state(batch.flatMap(announcedStates)),
    });
    this.heardBatches = new BatchQueue({
      ...sizes,
      sizeOf: () => 1,
      work: (batch) => silences.heard(batch),
    });
  }

  /**
   * Stores a report and announces its states. If it fails because the database connection was lost, the report may
   * still have been stored; repeating it is idempotent.
   */
  async report(report: AcceptedReport): Promise<void> {
    await this.runWorkflows(report, await this.store(report));
  }

  /** Stores a report and sends its states to streams, as the first part of `report`. */
  async store(report: AcceptedReport): Promise<Listening> {
    const { device, states, isBatch, message } = report;
    const listening = await this.storeBatches.add(report);
    const announced = states.map(({ time, data, meta }) => ({ time: new Date(time), data, meta }));
    this.events.state(device, { states: announced, isBatch }, message);
    return listening;
  }

  /** Announces a stored report to workflows, as the second part of `report`. */
  async runWorkflows(report: AcceptedReport, listening: Listening): Promise<void> {
    const { device, states } = report;
    if (listening.toSilence.has(device.applicationId)) await this.heardBatches.add(device);
    if (
      listening.toReports.has(device.applicationId) ||
      states.some(({ flowVersion }) => flowVersion !== undefined)
    )
      await this.triggerBatches.add(report);
  }

  async onModuleDestroy(): Promise<void> {
    await this.storeBatches.end();
    await this.heardBatches.end();
    await this.triggerBatches.end();
  }
}

const storedOf = ({ device, states, channel, payloads = states.length }: AcceptedReport): StoredReport => ({
  applicationId: device.applicationId,
  deviceId: device.id,
  points: states.flatMap(({ points }) => points),
  payloads,
  bytes: states.reduce((bytes, { data }) => bytes + Buffer.byteLength(JSON.stringify(data)), 0),
  channel,
});

/** Returns the states to announce to workflows, grouped by the requested version. */
function announcedStates({ device, states, isBatch, gatewayId }: AcceptedReport): AnnouncedStates[] {
  const versions = new Map<string | undefined, AnnouncedStates['states'][number][]>();
  for (const { time, data, meta, flowVersion } of states) {
    const announced = versions.get(flowVersion) ?? [];
    versions.set(flowVersion, announced);
    announced.push({ time: new Date(time), data, meta });
  }
  return [...versions].map(([flowVersion, announced]) => ({
    device,
    states: announced,
    isBatch,
    flowVersion,
    gatewayId,
  }));
}
