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
  tag: {
    name: 'events',
    title: 'Events',
    group: 'Data',
    resources: ['events', 'event'],
    description: 'The events of an application, from the report to the resolution.',
  },
};
