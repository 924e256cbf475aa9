import { Body, Controller, Post } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import { JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import { EXPORT_ERRORS, OUTCOME_TOLD } from '../../devices/device-exports/told.js';
import { EXPORTED } from './event-lines.js';
import { EventsExport } from './events-export.resource.js';
import { EventsExportService } from './events-export.service.js';

const COLUMNS = EXPORTED.map((name) => `\`${name}\``).join(', ');

@Controller('applications/:applicationId/events/export')
export class EventsExportController {
  constructor(private readonly exports: EventsExportService) {}

  @Post()
  @Operation('events.export', {
    summary: 'Exports events',
    description: `Makes a file of the events that \`query\` finds, by id. CSV has the columns ${COLUMNS} and \`updates\`, the last three as JSON; text that a spreadsheet would take for a formula has a \`'\` before it. JSON is a list of events. The events of an application can be exported once in five minutes. ${OUTCOME_TOLD} Needs the role \`collaborate\` on the application.`,
    scopes: APPLICATION_CHILDREN_READ,
    role: 'collaborate',
    body: { exportData: EventsExport },
    optionalBody: true,
    example: { format: 'csv', query: { state: 'resolved' }, email: 'ada@example.com' },
    returns: { 202: JobEnqueuedResult },
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
