import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { PayloadChannel } from '../../../platform/payloads/payload-types.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ReportingDevicesRepository } from '../devices/reporting-devices.repository.js';
import { DeviceReports } from './device-reports.js';
import type { SentState } from './device-state.schemas.js';
import { acceptStates } from './accepted-states.js';

/** Maximum number of states per request, since each of them may run workflows. */
export const MAX_STATES = 1_000;

/** Processes device reports sent by callers. */
@Injectable()
export class DeviceReportService {
  constructor(
    private readonly devices: ReportingDevicesRepository,
    private readonly reports: DeviceReports,
  ) {}

  /** Stores the accepted parts of a device's states. */
  async report(
    application: ApplicationAccess,
    id: string,
    sent: SentState | readonly SentState[],
    channel: PayloadChannel,
  ): Promise<Success> {
    const states = [sent].flat() as readonly SentState[];
    if (states.length > MAX_STATES)
      throw new ValidationError(`deviceState must have at most ${MAX_STATES} items`);
    const device = await this.devices.obtain(application, id);
    if (device.deviceClass === 'system')
      throw new ValidationError('A system does not accept reports: it aggregates the devices below it');
    const taken = acceptStates(device, states, Date.now());
    if (taken.length > 0)
      await this.reports.report({ device, states: taken, isBatch: Array.isArray(sent), channel });
    return new Success();
  }
}
