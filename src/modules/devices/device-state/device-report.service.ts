import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { PayloadChannel } from '../../../platform/payloads/payload-types.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ReportingDevicesRepository } from '../devices/reporting-devices.repository.js';
import { DeviceReports } from './device-reports.js';
import type { SentState } from './device-state.schemas.js';
import { takenOf } from './taken-states.js';

/** States in a request: each may make workflows run. */
export const MOST_STATES = 1_000;

/** Reports of devices, as callers send them. */
@Injectable()
export class DeviceReportService {
  constructor(
    private readonly devices: ReportingDevicesRepository,
    private readonly reports: DeviceReports,
  ) {}

  /** Stores what is taken of the states of a device. */
  async report(
    application: ApplicationAccess,
    id: string,
    sent: SentState | readonly SentState[],
    channel: PayloadChannel,
  ): Promise<Success> {
    const states = [sent].flat() as readonly SentState[];
    if (states.length > MOST_STATES)
      throw new ValidationError(`deviceState must not have more than ${MOST_STATES} items`);
    const device = await this.devices.obtain(application, id);
    if (device.deviceClass === 'system')
      throw new ValidationError('A system takes no reports: it sums up the devices below it');
    const taken = takenOf(device, states, Date.now());
    if (taken.length > 0)
      await this.reports.report({ device, states: taken, isBatch: Array.isArray(sent), channel });
    return new Success();
  }
}
