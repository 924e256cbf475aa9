import { Body, Controller, Delete, Get, Param, Patch } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { Event, EventPatch } from './event.resource.js';
import { EventsService } from './events.service.js';

@Controller('applications/:applicationId/events/:eventId')
export class EventController {
  constructor(private readonly events: EventsService) {}

  @Get()
  @Operation('event.get', {
    summary: 'Returns an event',
    description: 'Returns an event with its last 100 updates.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: Event },
    missing: 'event',
  })
  get(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('eventId') eventId: string,
  ): Promise<StoredResource<Event>> {
    return this.events.get(id, eventId);
  }

  @Patch()
  @Operation('event.patch', {
    summary: 'Updates an event',
    description:
      'Each update adds an entry to `updates` with its author, the changes, `comment` and `data`. The last 100 entries are kept. Triggers the workflows for the level and the state that the event then has.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { event: EventPatch },
    example: { state: 'acknowledged', comment: 'On my way' },
    returns: { 200: Event },
    missing: 'event',
  })
  patch(
    @CurrentApplication() application: ApplicationAccess,
    @Param('eventId') eventId: string,
    @Body() body: EventPatch,
    @By() by: Author,
  ): Promise<StoredResource<Event>> {
    return this.events.patch(application, eventId, body, by);
  }

  @Delete()
  @Operation('event.delete', {
    summary: 'Deletes an event',
    description: 'Permanently deletes the event with its updates.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    returns: { 200: Success },
    missing: 'event',
  })
  delete(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('eventId') eventId: string,
    @By() by: Author,
  ): Promise<Success> {
    return this.events.delete(id, eventId, by);
  }
}
