import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored, StoredPage } from '../../../platform/responses/answers.js';
import { Event, EventPlusNewCount, EventPost, Events } from './event.resource.js';
import { EventsQuery, NewEventsQuery } from './events.query.js';
import { EVENT_RATE, EventsService } from './events.service.js';

@Controller('applications/:applicationId/events')
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @Get()
  @Operation('events.get', {
    summary: 'Returns the events of an application',
    description:
      'Levels are sorted from `info` to `critical`, states from `new` to `resolved`. Events come without their `updates`. In an advanced query `experienceGroupId` and `experienceUserId` ask of the device of an event what they ask of devices. Needs the role `view` on the application.',
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
    description: `The workflows of the application hear of it that listen to its level and state. An event is kept as long as the owner keeps the data of devices (\`dataTTL\`), from its \`creationDate\`. Needs the role \`collaborate\` on the application.`,
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { event: EventPost },
    example: { level: 'warning', subject: 'Pressure too high', eventTags: { site: 'north' } },
    returns: { 201: Event },
    missing: 'application',
    errors: {
      429: `The application made ${EVENT_RATE.points} events in ${EVENT_RATE.duration} seconds, or the caller sent too many requests; \`Retry-After\` says when it can go on.`,
    },
  })
  create(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: EventPost,
    @By() by: Author,
  ): Promise<Stored<Event>> {
    return this.events.create(application, body, by);
  }
}

@Controller('applications/:applicationId/events/mostRecentBySeverity')
export class GravestEventController {
  constructor(private readonly events: EventsService) {}

  @Get()
  @Operation('events.mostRecentBySeverity', {
    summary: 'Returns the gravest new event, and how many are new',
    description:
      'Of several of a level, the newest. `filter` and `query` narrow both. The event comes without its `updates`. Needs the role `view` on the application.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: EventPlusNewCount },
    missing: 'application',
  })
  gravest(
    @CurrentApplication() application: ApplicationAccess,
    @Query() query: NewEventsQuery,
  ): Promise<EventPlusNewCount> {
    return this.events.gravest(application, query);
  }
}
