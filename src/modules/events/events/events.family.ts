import type { Family } from '../../../platform/families.js';
import { EVENT_BULK } from './event-bulk.jobs.js';
import { EventUpdateRow } from './event-update.entity.js';
import { EVENTS, Event } from './event.resource.js';
import { EVENTS_EXPORT } from './events-export.job.js';
import { EventsModule } from './events.module.js';

/** Events of applications. */
export const EVENTS_FAMILY: Family = {
  modules: [EventsModule],
  entities: [Event, EventUpdateRow],
  holdings: [EVENTS],
  neverBundled: {
    events: 'History.',
  },
  jobs: [EVENT_BULK, EVENTS_EXPORT],
  tags: [
    { name: 'events', description: 'List, create, update, delete and export the events of an application.' },
    { name: 'event', description: 'Read, update and delete an event.' },
  ],
};
