import { Body, Controller, Param, Post } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { DEVICE_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { MAX_STATES, DeviceReportService } from './device-report.service.js';
import { DEVICE_STATE_OR_STATES, type ReceivedState } from './device-state.schemas.js';

@Controller('applications/:applicationId/devices/:deviceId/state')
export class DeviceReportController {
  constructor(private readonly reports: DeviceReportService) {}

  @Post()
  @Operation('device.sendState', {
    summary: 'Stores state reports of a device',
    description: `Stores one state, or up to ${MAX_STATES} states. The response is sent after they have been stored.

- Values are converted to the data type of their attribute. Values that cannot be converted and values of unknown attributes are ignored. Numbers can have a magnitude of up to 1e100, text a size of up to 64 KiB. A location is \`latitude,longitude\`, degrees with minutes and seconds, or a GLL or GGA sentence of NMEA 0183; it is stored as \`latitude,longitude\`.
- States that are older than 30 days or more than a day ahead are ignored.
- Every value is stored, even if it has not changed. A value replaces an existing value of the attribute with the same time (in milliseconds), so that a report can safely be repeated.
- Workflows that are triggered by the device run.
- A gateway or edge compute device can report for its own peripherals, even if its access key or certificate does not cover them.

Systems cannot receive reports. Returns \`429\` beyond 30 reports of a device in ten seconds, unless the platform is configured otherwise; an array counts once.`,
    scopes: DEVICE_WRITE,
    role: 'collaborate',
    body: { deviceState: DEVICE_STATE_OR_STATES },
    example: { data: { pressure: 2.4 } },
    returns: { 200: Success },
    missing: 'device',
  })
  report(
    @CurrentApplication() application: ApplicationAccess,
    @Param('deviceId') id: string,
    @Body() body: ReceivedState | ReceivedState[],
    @By() by: Author,
  ): Promise<Success> {
    return this.reports.report(application, id, body, by.channel);
  }
}
