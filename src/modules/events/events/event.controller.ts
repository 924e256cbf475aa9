import { Body, Controller, Delete, Get, Param, Patch } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored } from '../../../platform/responses/answers.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { Event, EventPatch } from './event.resource.js';
import { EventsService } from './events.service.js';

@Controller('applications/:applicationId/events/:eventId')
export class EventController {
  constructor(private readonly events: EventsService) {}

  @Get()
  @Operation('event.get', {
    summary: 'Returns an event',
    description: 'Needs the role `view` on the application.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: Event },
    missing: 'event',
  })
  get(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('eventId') eventId: string,
  ): Promise<Stored<Event>> {
    return this.events.get(id, eventId);
  }

  @Patch()
  @Operation('event.patch', {
    summary: 'Updates an event',
    description:
      'Each time, `updates` gets an entry of who did it and what changed, with `comment` and `data`; the last 100 are kept. Workflows that listen to its level hear of a new state. Needs the role `collaborate` on the application.',
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
  ): Promise<Stored<Event>> {
    return this.events.patch(application, eventId, body, by);
  }

  @Delete()
  @Operation('event.delete', {
    summary: 'Deletes an event',
    description: 'It is gone for good, with its updates. Needs the role `collaborate` on the application.',
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
