import { Body, Controller, Patch, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { ListenersQuery } from '../../../platform/callbacks/asked-listeners.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Reply } from '../../../platform/responses/answers.js';
import { JobEnqueuedResult, Success } from '../../../platform/fields/shared.schemas.js';
import { EventBulkService } from './event-bulk.service.js';
import { EventPatch, EventsDeleted } from './event.resource.js';
import { EVENT_QUERY_BODY, EventSelectionQuery } from './events.query.js';

const JOB =
  'With more than 100 events it is a job (202), whose end `email` or `callbackUrl` is told of; events that are made meanwhile stay as they are. Each event has an entry in the log. Needs the role `collaborate` on the application.';

/** Operations on many events. */
@Controller('applications/:applicationId/events')
export class EventBulkController {
  constructor(private readonly bulk: EventBulkService) {}

  @Patch()
  @Operation('events.patch', {
    summary: 'Updates many events',
    description: `The events are those of \`filter\` and \`state\`, or those that \`query\` finds; without any of these, all. What holds for an update of one event holds for each. ${JOB}`,
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { updates: EventPatch },
    example: { state: 'resolved', comment: 'Over' },
    returns: { 200: Success, 202: JobEnqueuedResult },
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
    summary: 'Deletes many events',
    description: `The body is an advanced query of the events; without one, it is all of them. They are gone for good. Scopes that read open it, too: give a token that is to delete nothing a role that only views. ${JOB}`,
    scopes: APPLICATION_CHILDREN_READ,
    role: 'collaborate',
    body: { query: EVENT_QUERY_BODY },
    optionalBody: true,
    example: { state: 'resolved' },
    returns: { 200: EventsDeleted, 202: JobEnqueuedResult },
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
