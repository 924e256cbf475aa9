import { Body, Controller, Param, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { ListenersQuery } from '../../../platform/callbacks/asked-listeners.js';
import { Operation } from '../../../platform/operations/operation.js';
import { JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import { DeviceDataExport, DevicesExportPayloadCountPost, DevicesExportPost } from './data-export.schemas.js';
import { DeviceExportQuery } from './device-exports.query.js';
import { DeviceExportsService } from './device-exports.service.js';
import { CSV_TOLD, EXPORT_ERRORS, OUTCOME_TOLD } from './told.js';

@Controller('applications/:applicationId/devices/:deviceId/export')
export class DeviceExportController {
  constructor(private readonly exports: DeviceExportsService) {}

  @Post()
  @Operation('device.export', {
    summary: 'Exports what a device reported',
    description: `Makes a CSV file with the columns \`Timestamp\` (milliseconds since 1970), \`ISO Date\` and the attributes, and a row for each time at which something was reported. ${CSV_TOLD} A device can be exported once in five minutes. ${OUTCOME_TOLD} Needs the role \`collaborate\` on the application.`,
    scopes: APPLICATION_CHILDREN_READ,
    role: 'collaborate',
    body: { deviceDataExport: DeviceDataExport },
    optionalBody: true,
    example: { start: -86_400_000, email: 'ada@example.com' },
    returns: { 202: JobEnqueuedResult },
    missing: 'device',
    errors: EXPORT_ERRORS,
  })
  export(
    @CurrentApplication() application: ApplicationAccess,
    @Param('deviceId') deviceId: string,
    @Body() body: DeviceDataExport,
    @Query() query: DeviceExportQuery,
    @By() by: Author,
  ): Promise<JobEnqueuedResult> {
    return this.exports.exportDevice(application, deviceId, body, query, by);
  }
}

@Controller('applications/:applicationId/devices/export')
export class DevicesExportController {
  constructor(private readonly exports: DeviceExportsService) {}

  @Post()
  @Operation('devices.export', {
    summary: 'Exports devices',
    description: `Makes a file of the devices that \`query\` finds, by id. CSV has the columns \`Name\`, \`ID\`, \`Description\`, \`Device Class\` and one for each key of a tag, with several values of a device separated by commas; text that a spreadsheet would take for a formula has a \`'\` before it. JSON is a list of objects with \`name\`, \`id\`, \`description\`, \`deviceClass\` and \`tags\`, lists of values by key. The devices of an application can be exported once in five minutes. ${OUTCOME_TOLD} Needs the role \`collaborate\` on the application.`,
    scopes: APPLICATION_CHILDREN_READ,
    role: 'collaborate',
    body: { devicesExportPost: DevicesExportPost },
    optionalBody: true,
    example: { format: 'csv', email: 'ada@example.com' },
    returns: { 202: JobEnqueuedResult },
    missing: 'application',
    errors: EXPORT_ERRORS,
  })
  export(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: DevicesExportPost,
    @Query() query: ListenersQuery,
    @By() by: Author,
  ): Promise<JobEnqueuedResult> {
    return this.exports.exportList(application, body, query, by);
  }
}

@Controller('applications/:applicationId/devices/payloadCounts')
export class DevicesPayloadsController {
  constructor(private readonly exports: DeviceExportsService) {}

  @Post()
  @Operation('devices.payloadCounts', {
    summary: 'Exports how many payloads devices had',
    description: `Makes a CSV file of the devices that \`query\` finds, by id, with the columns \`Name\`, \`ID\` and one for each type of payload. They are counted in whole hours, by UTC, that the time touches; in whole days where it is more than 90 days back, and at most 400. The payloads of an application's devices can be exported once in five minutes. ${OUTCOME_TOLD} Needs the role \`collaborate\` on the application.`,
    scopes: APPLICATION_CHILDREN_READ,
    role: 'collaborate',
    body: { devicesExportPayloadCountPost: DevicesExportPayloadCountPost },
    optionalBody: true,
    example: { start: -86_400_000, email: 'ada@example.com' },
    returns: { 202: JobEnqueuedResult },
    missing: 'application',
    errors: EXPORT_ERRORS,
  })
  export(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: DevicesExportPayloadCountPost,
    @By() by: Author,
  ): Promise<JobEnqueuedResult> {
    return this.exports.exportPayloads(application, body, by);
  }
}
