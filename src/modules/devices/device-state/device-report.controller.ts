import { Body, Controller, Param, Post } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { DEVICE_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { MOST_STATES, DeviceReportService } from './device-report.service.js';
import { DEVICE_STATE_OR_STATES, type SentState } from './device-state.schemas.js';

@Controller('applications/:applicationId/devices/:deviceId/state')
export class DeviceReportController {
  constructor(private readonly reports: DeviceReportService) {}

  @Post()
  @Operation('device.sendState', {
    summary: 'Stores what a device reports',
    description: `One state, or at most ${MOST_STATES} at once. When it is answered it is stored.

- Values are made ones of the type of their attribute; a value that cannot be, and one of an attribute that the device does not have, is left out. Numbers are at most 1e100 in magnitude, text at most 64 KiB. A place is \`latitude,longitude\`, degrees with minutes and seconds, or a sentence GLL or GGA of NMEA 0183, and is stored as \`latitude,longitude\`.
- What is older than 30 days, or more than a day ahead, is left out.
- Every value is stored, also one that is as it was. A value of a time (a millisecond) that the attribute has one of already takes its place, so a report may be repeated.
- Workflows that listen to the device run.

Systems take no reports. Needs the role \`collaborate\` on the application.`,
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
    @Body() body: SentState | SentState[],
    @By() by: Author,
  ): Promise<Success> {
    return this.reports.report(application, id, body, `${by.type}.rest`);
  }
}
