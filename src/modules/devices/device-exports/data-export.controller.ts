import { Body, Controller, Post } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { DEVICES_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import { JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import { SELECTION_NOTE } from '../devices/device-selection.js';
import { DevicesDataExport } from './data-export.schemas.js';
import { EXPORT_CALLBACK } from './export-link.js';
import { DeviceExportsService } from './device-exports.service.js';
import { CSV_NOTE, EXPORT_ERRORS, OUTCOME_NOTE, REACH_NOTE } from './export-notes.js';

@Controller('applications/:applicationId/data/export')
export class DataExportController {
  constructor(private readonly exports: DeviceExportsService) {}

  @Post()
  @Operation('data.export', {
    summary: 'Exports data of devices',
    description: `Generates a CSV file with the columns \`Device ID\`, \`Device Name\`, \`Timestamp\` (milliseconds since 1970), \`ISO Date\` and one for each attribute. It has a row for each time at which a device reported values, sorted by device and time. With \`filePerDevice\`, generates a zip file with one CSV file per device, without the first two columns. ${SELECTION_NOTE} ${REACH_NOTE} ${CSV_NOTE} A shared file has at most 1,000 attributes, a zip file at most 10,000 files. The data of an application's devices can be exported once every five minutes. ${OUTCOME_NOTE}`,
    scopes: DEVICES_READ,
    role: 'collaborate',
    body: { devicesDataExport: DevicesDataExport },
    example: { deviceQuery: { deviceClass: 'standalone' }, start: -86_400_000, email: 'ada@example.com' },
    returns: { 202: JobEnqueuedResult },
    callback: EXPORT_CALLBACK,
    missing: 'application',
    errors: EXPORT_ERRORS,
  })
  export(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: DevicesDataExport,
    @By() by: Author,
  ): Promise<JobEnqueuedResult> {
    return this.exports.exportData(application, body, by);
  }
}
