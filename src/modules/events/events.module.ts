import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventChanges } from './event-changes.js';
import { EventController } from './event.controller.js';
import { EventListsRepository } from './event-lists.repository.js';
import { Event } from './event.resource.js';
import { EventsController, GravestEventController } from './events.controller.js';
import { EventsRepository } from './events.repository.js';
import { EventsRetention } from './events-retention.js';
import { EventsService } from './events.service.js';

/** Events of applications. */
@Module({})
export class EventsModule {
  static on({ runsWorker }: { runsWorker: boolean }): DynamicModule {
    return {
      module: EventsModule,
      imports: [TypeOrmModule.forFeature([Event])],
      // Paths beside the id of an event stand before it.
      controllers: [EventsController, GravestEventController, EventController],
      providers: [
        EventChanges,
        EventListsRepository,
        EventsRepository,
        EventsService,
        ...(runsWorker ? [EventsRetention] : []),
      ],
    };
  }
}
