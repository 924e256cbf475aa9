import { Injectable } from '@nestjs/common';
import { TemporaryBlobs } from '../../platform/blobs/temporary-blobs.js';
import { loggedListeners, type Listeners } from '../../platform/callbacks/listeners.js';
import { Outcomes, type Outcome } from '../../platform/callbacks/outcomes.js';
import { csvLines, type Cell } from '../../platform/csv.js';
import { defineJob } from '../../platform/jobs/job-definition.js';
import { OnJob, type JobContext } from '../../platform/jobs/on-job.js';
import { LINK_SECONDS, linkOutcome } from '../device-exports/export-link.js';
import { streamOf } from '../device-exports/pages.js';
import { MOST_UPDATES } from './event.schemas.js';
import {
  EventSelectionRepository,
  type SelectedEvent,
  type SelectedEvents,
} from './event-selection.repository.js';

export type ExportFormat = 'csv' | 'json';

/** An export of events. */
export interface EventsExportTask {
  events: SelectedEvents;
  format: ExportFormat;
  excludeUpdates: boolean;
  listeners: Listeners;
}

export const EVENTS_EXPORT = defineJob<EventsExportTask>('events.export', {
  timeoutMs: 60 * 60_000,
  forgets: true,
  log: ({ events: { applicationId }, listeners }) => ({
    applicationId,
    operation: 'events.export',
    resourceType: 'event',
    input: loggedListeners(listeners),
  }),
});

const TYPES: Readonly<Record<ExportFormat, string>> = { csv: 'text/csv', json: 'application/json' };
/** Events that are read together; each may have much data. */
const PAGE = 100;

/** The columns of a CSV file: properties of an event, whose structures are JSON. */
export const EXPORTED = [
  'id',
  'creationDate',
  'lastUpdated',
  'level',
  'state',
  'subject',
  'message',
  'deviceId',
  'deviceName',
  'sourceType',
  'sourceId',
  'sourceName',
  'eventTags',
  'data',
] as const;
const STRUCTURED: ReadonlySet<string> = new Set(['eventTags', 'data']);

/** Some events with their updates as JSON, by their ids; of those that have none, or where none are asked for, nothing. */
interface Group {
  events: SelectedEvent[];
  updates: ReadonlyMap<string, string>;
}

/** Exports events. */
@Injectable()
export class EventsExportJob {
  constructor(
    private readonly selected: EventSelectionRepository,
    private readonly blobs: TemporaryBlobs,
    private readonly outcomes: Outcomes,
  ) {}

  @OnJob(EVENTS_EXPORT)
  async run(task: EventsExportTask, job: JobContext): Promise<void> {
    const { applicationId } = task.events;
    const { listeners } = task;
    const about = { type: 'events.export', title: 'The export of events', applicationId, listeners };
    await this.outcomes.tellOf(about, job, () => this.export(task, job));
  }

  private async export(task: EventsExportTask, job: JobContext): Promise<Outcome> {
    const { format } = task;
    const content = streamOf(format === 'csv' ? this.lines(task, job) : this.json(task, job));
    const key = `exports/${job.id}.${format}`;
    await this.blobs.put(key, content, { contentType: TYPES[format] });
    return linkOutcome(await this.blobs.link(key, `events.${format}`, LINK_SECONDS));
  }

  private async *lines(task: EventsExportTask, job: JobContext): AsyncGenerator<string> {
    yield csvLines([[...EXPORTED, ...(task.excludeUpdates ? [] : ['updates'])]]);
    for await (const { events, updates } of this.groups(task, job))
      yield csvLines(
        events.map(({ id, stored }) => {
          const event = stored.toObject();
          const cells = EXPORTED.map((property): Cell => {
            const value = event[property];
            return value !== undefined && STRUCTURED.has(property) ? JSON.stringify(value) : (value as Cell);
          });
          return task.excludeUpdates ? cells : [...cells, updates.get(id) ?? '[]'];
        }),
      );
  }

  private async *json(task: EventsExportTask, job: JobContext): AsyncGenerator<string> {
    let before = '[';
    for await (const { events, updates } of this.groups(task, job)) {
      const shown = events.map(({ id, stored }) =>
        (task.excludeUpdates ? stored : stored.with({ updates: updates.get(id) ?? '[]' })).toJsonText(
          () => false,
        ),
      );
      yield before + shown.join(',\n');
      before = ',\n';
    }
    yield before === '[' ? '[]\n' : ']\n';
  }

  /** Events by id, as many as have no more updates together than one may have: these may be large. */
  private async *groups(
    { events, excludeUpdates }: EventsExportTask,
    { signal }: JobContext,
  ): AsyncGenerator<Group> {
    for (let after: string | null = ''; after !== null;) {
      const { ids, last } = await this.selected.window(events, after);
      for (let from = 0; from < ids.length; from += PAGE) {
        signal.throwIfAborted();
        const page = await this.selected.read(events.applicationId, ids.slice(from, from + PAGE));
        for (const group of excludeUpdates ? [page] : groupsOf(page)) {
          const changed = group.filter(({ updateCount }) => updateCount > 0).map(({ id }) => id);
          const none = excludeUpdates || changed.length === 0;
          yield { events: group, updates: none ? new Map() : await this.selected.updatesOf(changed) };
        }
      }
      after = last;
    }
  }
}

/** Events in parts that have as many updates together as one may have, or are one. */
export function groupsOf<T extends { updateCount: number }>(events: readonly T[]): T[][] {
  const groups: T[][] = [];
  let room = 0;
  for (const event of events) {
    const count = Math.min(event.updateCount, MOST_UPDATES);
    if (groups.length === 0 || count > room) {
      groups.push([]);
      room = MOST_UPDATES;
    }
    groups.at(-1)!.push(event);
    room -= count;
  }
  return groups;
}
