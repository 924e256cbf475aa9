import { Body, Controller, Post } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import { JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import { EXPORT_CALLBACK } from '../../devices/device-exports/export-link.js';
import { EXPORT_ERRORS, OUTCOME_NOTE } from '../../devices/device-exports/export-notes.js';
import { EXPORTED } from './event-lines.js';
import { EventsExport } from './events-export.resource.js';
import { EventsExportService } from './events-export.service.js';

const COLUMNS = EXPORTED.map((name) => `\`${name}\``).join(', ');

@Controller('applications/:applicationId/events/export')
export class EventsExportController {
  constructor(private readonly exports: EventsExportService) {}

  @Post()
  @Operation('events.export', {
    summary: 'Exports the events of an application',
    description: `Exports the events that match \`query\` to a file, in order of ID. CSV has the columns ${COLUMNS} and \`updates\`, the last three as JSON. Text that a spreadsheet would interpret as a formula is prefixed with \`'\`. JSON is an array of events. The events of an application can be exported once every five minutes. ${OUTCOME_NOTE}`,
    scopes: APPLICATION_CHILDREN_READ,
    role: 'collaborate',
    body: { exportData: EventsExport },
    optionalBody: true,
    example: { format: 'csv', query: { state: 'resolved' }, email: 'ada@example.com' },
    returns: { 202: JobEnqueuedResult },
    callback: EXPORT_CALLBACK,
    missing: 'application',
    errors: EXPORT_ERRORS,
  })
  export(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: EventsExport,
    @By() by: Author,
  ): Promise<JobEnqueuedResult> {
    return this.exports.export(application, body, by);
  }
}
