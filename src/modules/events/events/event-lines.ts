import { Injectable } from '@nestjs/common';
import { csvLines, type Cell } from '../../../lib/csv/csv.js';
import { MOST_UPDATES } from './event.schemas.js';
import {
  EventSelectionRepository,
  type SelectedEvent,
  type SelectedEvents,
} from './event-selection.repository.js';

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

/** Events of an application, by their ids as they are found, and whether they are read without their updates. */
export interface ReadEvents {
  applicationId: string;
  ids: AsyncIterable<readonly string[]>;
  excludeUpdates: boolean;
}

/** Some events with their updates as JSON, by their ids; of those that have none, or where none are asked for, nothing. */
export interface EventGroup {
  events: SelectedEvent[];
  updates: ReadonlyMap<string, string>;
}

/** Events as the lines of a file, a bounded number in memory. */
@Injectable()
export class EventLines {
  constructor(private readonly selected: EventSelectionRepository) {}

  /** The ids of all that are selected, in their order. */
  async *selectedIds(events: SelectedEvents): AsyncGenerator<string[]> {
    for (let after: string | null = ''; after !== null;) {
      const { ids, last } = await this.selected.window(events, after);
      yield ids;
      after = last;
    }
  }

  /** The ids of those from a time on and before another, by when they happened. */
  async *idsWithin(applicationId: string, span: { start: Date; end: Date }): AsyncGenerator<string[]> {
    for (let after = { creationDate: span.start, id: '' }; ;) {
      const page = await this.selected.page(applicationId, after, span.end);
      const last = page.at(-1);
      if (!last) return;
      yield page.map(({ id }) => id);
      after = last;
    }
  }

  /** The heading, and then the lines of the events, some at a time. */
  async *csv(events: ReadEvents, signal: AbortSignal): AsyncGenerator<string> {
    yield csvLines([[...EXPORTED, ...(events.excludeUpdates ? [] : ['updates'])]]);
    for await (const { events: some, updates } of this.groups(events, signal))
      yield csvLines(
        some.map(({ id, stored }) => {
          const event = stored.toObject();
          const cells = EXPORTED.map((property): Cell => {
            const value = event[property];
            return value !== undefined && STRUCTURED.has(property) ? JSON.stringify(value) : (value as Cell);
          });
          return events.excludeUpdates ? cells : [...cells, updates.get(id) ?? '[]'];
        }),
      );
  }

  /** Events, as many at a time as have no more updates together than one may have: these may be large. */
  async *groups(
    { applicationId, ids, excludeUpdates }: ReadEvents,
    signal: AbortSignal,
  ): AsyncGenerator<EventGroup> {
    for await (const found of ids) {
      for (let from = 0; from < found.length; from += PAGE) {
        signal.throwIfAborted();
        const page = await this.selected.read(applicationId, found.slice(from, from + PAGE));
        for (const group of excludeUpdates ? [page] : groupsOf(page)) {
          const changed = group.filter(({ updateCount }) => updateCount > 0).map(({ id }) => id);
          const none = excludeUpdates || changed.length === 0;
          yield { events: group, updates: none ? new Map() : await this.selected.updatesOf(changed) };
        }
      }
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
