import { Body, Controller, Param, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { ListenersQuery } from '../../../platform/callbacks/listener-fields.js';
import { Operation } from '../../../platform/operations/operation.js';
import { JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import { DeviceDataExport, DevicesExportPayloadCountPost, DevicesExportPost } from './data-export.schemas.js';
import { EXPORT_CALLBACK } from './export-link.js';
import { DeviceExportQuery } from './device-exports.query.js';
import { DeviceExportsService } from './device-exports.service.js';
import { CSV_NOTE, EXPORT_ERRORS, OUTCOME_NOTE } from './export-notes.js';

@Controller('applications/:applicationId/devices/:deviceId/export')
export class DeviceExportController {
  constructor(private readonly exports: DeviceExportsService) {}

  @Post()
  @Operation('device.export', {
    summary: 'Exports data of a device',
    description: `Generates a CSV file with the columns \`Timestamp\` (milliseconds since 1970), \`ISO Date\` and one for each attribute. It has a row for each time at which the device reported values. ${CSV_NOTE} The data of a device can be exported once every five minutes. ${OUTCOME_NOTE}`,
    scopes: APPLICATION_CHILDREN_READ,
    role: 'collaborate',
    body: { deviceDataExport: DeviceDataExport },
    optionalBody: true,
    example: { start: -86_400_000, email: 'ada@example.com' },
    returns: { 202: JobEnqueuedResult },
    callback: EXPORT_CALLBACK,
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
    summary: 'Exports the list of devices',
    description: `Generates a file of the devices that match \`query\`, sorted by ID. CSV has the columns \`Name\`, \`ID\`, \`Description\`, \`Device Class\` and one for each tag key; several values of a device are separated by commas. Text that a spreadsheet would interpret as a formula is prefixed with \`'\`. JSON is an array of objects with \`name\`, \`id\`, \`description\`, \`deviceClass\` and \`tags\` (lists of values by key). The devices of an application can be exported once every five minutes. ${OUTCOME_NOTE}`,
    scopes: APPLICATION_CHILDREN_READ,
    role: 'collaborate',
    body: { devicesExportPost: DevicesExportPost },
    optionalBody: true,
    example: { format: 'csv', email: 'ada@example.com' },
    returns: { 202: JobEnqueuedResult },
    callback: EXPORT_CALLBACK,
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
    summary: 'Exports payload counts of devices',
    description: `Generates a CSV file of the devices that match \`query\`, sorted by ID, with the columns \`Name\`, \`ID\` and one for each payload type. Counts cover all whole hours (in UTC) that overlap the time range. If the range starts more than 90 days ago, they cover whole days, up to 400. The payload counts of an application's devices can be exported once every five minutes. ${OUTCOME_NOTE}`,
    scopes: APPLICATION_CHILDREN_READ,
    role: 'collaborate',
    body: { devicesExportPayloadCountPost: DevicesExportPayloadCountPost },
    optionalBody: true,
    example: { start: -86_400_000, email: 'ada@example.com' },
    returns: { 202: JobEnqueuedResult },
    callback: EXPORT_CALLBACK,
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
