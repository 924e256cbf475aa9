import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { retry } from '../../lib/async/retry.js';
import { Config } from '../../config/config.js';
import { RunsIn } from '../../platform/processes/roles.js';
import { OutcomeUnknown } from '../../platform/database/found-after-cut.js';
import { apiErrorOf } from '../../platform/responses/database-errors.js';
import { PlatformTopics } from '../../platform/topics/platform-topics.js';
import { ReportingDevicesRepository } from '../../modules/devices/devices/reporting-devices.repository.js';
import { acceptStates } from '../../modules/devices/device-state/accepted-states.js';
import { DeviceReports, type AcceptedReport } from '../../modules/devices/device-state/device-reports.js';
import { DeviceTriggers } from '../../modules/devices/device-triggers/device-triggers.js';
import { DeviceErrors } from './device-errors.js';
import { readReport } from './state-message.js';

/** Device that sends a report, for itself or for a peripheral. */
export interface Reporter {
  deviceId: string;
  applicationId: string;
}

/** Result of a report. A `faulty` one is not stored, and sending it again would not help. */
export type ReportOutcome = 'stored' | 'forbidden' | 'faulty';

/** Attempts while PostgreSQL does not respond, and the time between them. */
const ATTEMPTS = 20;
const RETRY_MS = 1_000;
/** More than devices that report in a millisecond. */
const MAX_RECENT = 10_000;

/** Stores the reports that devices send over MQTT. */
@Injectable()
@RunsIn('broker')
export class ReceivedReports {
  private readonly topics: PlatformTopics;
  /** Times of the last reports of devices. */
  private readonly latest = new LRUCache<string, number>({ max: MAX_RECENT });

  constructor(
    private readonly devices: ReportingDevicesRepository,
    private readonly reports: DeviceReports,
    private readonly triggers: DeviceTriggers,
    private readonly errors: DeviceErrors,
    { TOPIC_PREFIX }: Config,
  ) {
    this.topics = new PlatformTopics(TOPIC_PREFIX);
  }

  /**
   * Stores a report, and announces it to workflows and subscribers. While PostgreSQL does not respond, tries again for
   * some seconds. Rejects if the report may have been lost, so that the client repeats it.
   */
  async receive(reporter: Reporter, deviceId: string, message: Buffer): Promise<ReportOutcome> {
    const now = this.timeOf(deviceId);
    try {
      const report = await persistently(() => this.read(reporter, deviceId, message, now));
      if (!report) return 'forbidden';
      if (report.states.length === 0) return 'stored';
      // A stored report must not be stored again because its workflows cannot begin: it would count twice.
      const listening = await persistently(() => this.reports.store(report));
      await persistently(() => this.reports.runWorkflows(report, listening));
      return 'stored';
    } catch (thrown) {
      const error = apiErrorOf(thrown);
      if (!error || error.status >= 500) throw thrown;
      this.refuse(reporter, deviceId, error);
      return 'faulty';
    }
  }

  /** Returns the report as it is stored, or `undefined` if the reporter may not report for the device. */
  private async read(
    reporter: Reporter,
    deviceId: string,
    message: Buffer,
    now: number,
  ): Promise<AcceptedReport | undefined> {
    const device = await this.devices.find(reporter.applicationId, deviceId);
    const isOwn = deviceId === reporter.deviceId;
    // Peripherals can be moved at any time.
    const isPeripheral =
      device?.deviceClass === 'floating' ||
      (device?.deviceClass === 'peripheral' && device.gatewayId === reporter.deviceId);
    if (!device || !(isOwn || isPeripheral)) return undefined;
    const gatewayId = isOwn ? undefined : reporter.deviceId;
    try {
      const { states, isBatch } = readReport(message);
      const accepted = acceptStates(device, states, now);
      return { device, states: accepted, isBatch, channel: 'device.mqtt', gatewayId, message };
    } catch (error) {
      await this.triggers.invalidState(device, message.toString(), gatewayId);
      throw error;
    }
  }

  /** Returns the time of a report without one. It differs from that of the report before, which it would replace. */
  private timeOf(deviceId: string): number {
    const time = Math.max(Date.now(), (this.latest.get(deviceId) ?? 0) + 1);
    this.latest.set(deviceId, time);
    return time;
  }

  private refuse({ applicationId }: Reporter, deviceId: string, { message }: Error): void {
    this.errors.send({ applicationId, deviceId, topic: this.topics.state(deviceId), message });
  }
}

/** Tries again for some seconds while PostgreSQL does not respond, unless the work may have been done. */
const persistently = <T>(work: () => Promise<T>): Promise<T> =>
  retry(work, {
    max: ATTEMPTS,
    pauseMs: RETRY_MS,
    isTransient: (error) => !(error instanceof OutcomeUnknown) && (apiErrorOf(error)?.status ?? 0) >= 500,
  });
