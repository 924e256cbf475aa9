import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { Event, EventPlusNewCount, EventPost, Events } from './event.resource.js';
import { EventsQuery, NewEventsQuery } from './events.query.js';
import { EVENT_RATE, EventsService } from './events.service.js';

@Controller('applications/:applicationId/events')
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @Get()
  @Operation('events.get', {
    summary: 'Lists the events of an application',
    description:
      'Returns events without their `updates`. Levels are sorted from `info` to `critical`, states from `new` to `resolved`. In an advanced query, `experienceGroupId` and `experienceUserId` apply to the device of an event as in a query of devices.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: Events },
    missing: 'application',
  })
  list(
    @CurrentApplication() application: ApplicationAccess,
    @Query() query: EventsQuery,
  ): Promise<StoredPage<Event>> {
    return this.events.list(application, query);
  }

  @Post()
  @Operation('events.post', {
    summary: 'Creates an event',
    description: `Creates an event and triggers the workflows for its level and state. Events are deleted when their \`creationDate\` exceeds the data retention of the owner (\`dataTTL\`).`,
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { event: EventPost },
    example: { level: 'warning', subject: 'Pressure too high', eventTags: { site: 'north' } },
    returns: { 201: Event },
    missing: 'application',
    errors: {
      429: `The application created ${EVENT_RATE.points} events in ${EVENT_RATE.duration} seconds, or the caller sent too many requests. \`Retry-After\` contains the number of seconds to wait.`,
    },
  })
  create(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: EventPost,
    @By() by: Author,
  ): Promise<StoredResource<Event>> {
    return this.events.create(application, body, by);
  }
}

@Controller('applications/:applicationId/events/mostRecentBySeverity')
export class MostSevereEventController {
  constructor(private readonly events: EventsService) {}

  @Get()
  @Operation('events.mostRecentBySeverity', {
    summary: 'Returns the most severe new event',
    description:
      'Returns the most severe new event, without its `updates`, and the number of new events. The newest is returned if several have the same level. `filter` and `query` apply to both.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: EventPlusNewCount },
    missing: 'application',
  })
  gravest(
    @CurrentApplication() application: ApplicationAccess,
    @Query() query: NewEventsQuery,
  ): Promise<EventPlusNewCount> {
    return this.events.mostSevere(application, query);
  }
}
