import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeviceExportsModule } from '../../devices/device-exports/device-exports.module.js';
import { FiringsModule } from '../../../workflows/runs/firings.module.js';
import { EventBulkController } from './event-bulk.controller.js';
import { EventBulkJobs } from './event-bulk.jobs.js';
import { EventBulkService } from './event-bulk.service.js';
import { EventChanges } from './event-changes.js';
import { EventController } from './event.controller.js';
import { EventLines } from './event-lines.js';
import { EventListsRepository } from './event-lists.repository.js';
import { EventSelectionRepository } from './event-selection.repository.js';
import { Event } from './event.resource.js';
import { EventsController, MostSevereEventController } from './events.controller.js';
import { EventsExportController } from './events-export.controller.js';
import { EventsExportJob } from './events-export.job.js';
import { EventsExportService } from './events-export.service.js';
import { EventsRepository } from './events.repository.js';
import { EventsRetention } from './events-retention.js';
import { EventsService } from './events.service.js';

/** Events of applications. */
@Module({
  imports: [TypeOrmModule.forFeature([Event]), DeviceExportsModule, FiringsModule],
  // Controllers with fixed paths come before the one that matches event IDs.
  controllers: [
    EventsController,
    EventBulkController,
    EventsExportController,
    MostSevereEventController,
    EventController,
  ],
  providers: [
    EventBulkJobs,
    EventBulkService,
    EventChanges,
    EventLines,
    EventListsRepository,
    EventSelectionRepository,
    EventsExportJob,
    EventsExportService,
    EventsRepository,
    EventsService,
    EventsRetention,
  ],
  exports: [EventLines, EventSelectionRepository],
})
export class EventsModule {}
