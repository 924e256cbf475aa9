import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../lib/errors/errors.js';
import { RunsIn } from '../../platform/processes/roles.js';
import { databaseError } from '../../platform/responses/database-errors.js';
import { ReportingDevicesRepository } from '../../modules/devices/devices/reporting-devices.repository.js';
import { acceptStates } from '../../modules/devices/device-state/accepted-states.js';
import { DeviceReports } from '../../modules/devices/device-state/device-reports.js';
import { readReport } from './state-message.js';

/** Device that sends a report, for itself or for a peripheral. */
export interface Reporter {
  deviceId: string;
  applicationId: string;
}

/** Result of a report: stored, or not because the device may not report for that one, or because of a fault. */
export type ReportOutcome = 'stored' | 'forbidden' | { fault: string };

/** Attempts while PostgreSQL does not respond, and the time between them. */
const ATTEMPTS = 20;
const RETRY_MS = 1_000;

/** Stores the reports that devices send over MQTT. */
@Injectable()
@RunsIn('broker')
export class ReceivedReports {
  constructor(
    private readonly devices: ReportingDevicesRepository,
    private readonly reports: DeviceReports,
  ) {}

  /**
   * Stores a report, and announces it to workflows and subscribers. While PostgreSQL does not respond, tries again for
   * some seconds. Rejects if the report may have been lost, so that the client repeats it.
   */
  async receive(reporter: Reporter, deviceId: string, message: Buffer): Promise<ReportOutcome> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(reporter, deviceId, message);
      } catch (thrown) {
        const error = thrown instanceof ApiError ? thrown : databaseError(thrown);
        if (!error || (error.status >= 500 && attempt === ATTEMPTS)) throw thrown;
        if (error.status < 500) return { fault: error.message };
      }
      await sleep(RETRY_MS);
    }
  }

  private async attempt(reporter: Reporter, deviceId: string, message: Buffer): Promise<ReportOutcome> {
    const device = await this.devices.find(reporter.applicationId, deviceId);
    const isOwn = deviceId === reporter.deviceId;
    // Peripherals can be moved at any time.
    const isPeripheral =
      device?.deviceClass === 'floating' ||
      (device?.deviceClass === 'peripheral' && device.gatewayId === reporter.deviceId);
    if (!device || !(isOwn || isPeripheral)) return 'forbidden';
    const { states, isBatch } = readReport(message);
    const accepted = acceptStates(device, states, Date.now());
    const gatewayId = isOwn ? undefined : reporter.deviceId;
    const report = { device, states: accepted, isBatch, channel: 'device.mqtt', gatewayId, message } as const;
    if (accepted.length > 0) await this.reports.report(report);
    return 'stored';
  }
}
