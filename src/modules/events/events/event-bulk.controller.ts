import { Body, Controller, Patch, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { ListenersQuery } from '../../../platform/callbacks/listener-fields.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Reply } from '../../../platform/responses/stored-resources.js';
import { JobEnqueuedResult, Success } from '../../../platform/fields/shared.schemas.js';
import { EVENT_BULK_CALLBACK } from './event-bulk.jobs.js';
import { EventBulkService } from './event-bulk.service.js';
import { EventPatch, EventsDeleted } from './event.resource.js';
import { EVENT_QUERY_BODY, EventSelectionQuery } from './events.query.js';

const JOB =
  'More than 100 events are processed by a background job (`202`), and the outcome is sent to `email` or `callbackUrl`. Events created after the request are not affected. Each event gets an entry in the audit log.';

/** Bulk operations on events. */
@Controller('applications/:applicationId/events')
export class EventBulkController {
  constructor(private readonly bulk: EventBulkService) {}

  @Patch()
  @Operation('events.patch', {
    summary: 'Updates multiple events',
    description: `Updates the events that match \`filter\` and \`state\`, or \`query\`, or all events if none of these is set. Each event is updated as by an update of a single event. ${JOB}`,
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { updates: EventPatch },
    example: { state: 'resolved', comment: 'Over' },
    returns: { 200: Success, 202: JobEnqueuedResult },
    callback: EVENT_BULK_CALLBACK,
    missing: 'application',
  })
  patch(
    @CurrentApplication() application: ApplicationAccess,
    @Query() query: EventSelectionQuery,
    @Body() body: EventPatch,
    @By() by: Author,
  ): Promise<Success | Reply<JobEnqueuedResult>> {
    return this.bulk.patch(application, query, body, by);
  }

  @Post('delete')
  @Operation('events.delete', {
    summary: 'Deletes multiple events',
    description: `Permanently deletes the events that match the advanced query in the body, or all events without a query. ${JOB}`,
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { query: EVENT_QUERY_BODY },
    optionalBody: true,
    example: { state: 'resolved' },
    returns: { 200: EventsDeleted, 202: JobEnqueuedResult },
    callback: EVENT_BULK_CALLBACK,
    missing: 'application',
  })
  delete(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: object | undefined,
    @Query() query: ListenersQuery,
    @By() by: Author,
  ): Promise<EventsDeleted | Reply<JobEnqueuedResult>> {
    return this.bulk.delete(application, body ?? {}, query, by);
  }
}
