import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { PayloadChannel } from '../../../platform/payloads/payload-types.js';
import { MessageThrottle } from '../../../platform/throttle/message-throttle.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ReportingDevicesRepository } from '../devices/reporting-devices.repository.js';
import { DeviceReports } from './device-reports.js';
import type { ReceivedState } from './device-state.schemas.js';
import { acceptStates } from './accepted-states.js';

/** Maximum number of states per request, since each of them may run workflows. */
export const MAX_STATES = 1_000;

/** Receives device reports, and passes their accepted states on. */
@Injectable()
export class DeviceReportService {
  constructor(
    private readonly devices: ReportingDevicesRepository,
    private readonly reports: DeviceReports,
    private readonly throttle: MessageThrottle,
  ) {}

  /** Stores and announces the accepted states of a device. */
  async report(
    application: ApplicationAccess,
    id: string,
    received: ReceivedState | readonly ReceivedState[],
    channel: PayloadChannel,
  ): Promise<Success> {
    const states = [received].flat() as readonly ReceivedState[];
    if (states.length > MAX_STATES)
      throw new ValidationError(`deviceState must have at most ${MAX_STATES} items`);
    const device = await this.devices.obtain(application, id);
    if (device.deviceClass === 'system')
      throw new ValidationError('A system does not accept reports: it aggregates the devices below it');
    this.throttle.consume('report', device.id);
    const accepted = acceptStates(device, states, Date.now());
    if (accepted.length > 0)
      await this.reports.report({ device, states: accepted, isBatch: Array.isArray(received), channel });
    return new Success();
  }
}
