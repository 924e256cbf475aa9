import { Injectable } from '@nestjs/common';
import { csvLines, type Cell } from '../../../lib/csv/csv.js';
import { MAX_UPDATES } from './event.schemas.js';
import {
  EventSelectionRepository,
  type SelectedEvent,
  type SelectedEvents,
} from './event-selection.repository.js';

/** Number of events read at once; each may contain much data. */
const PAGE = 100;

/** Columns of a CSV export: properties of an event, with structured values as JSON. */
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

/** Events of an application to read, by ID, and whether to omit their updates. */
export interface ReadEvents {
  applicationId: string;
  ids: AsyncIterable<readonly string[]>;
  excludeUpdates: boolean;
}

/**
 * A group of events with their updates as JSON, by event ID. `updates` has no entries for events without updates, or if
 * updates are omitted.
 */
export interface EventGroup {
  events: SelectedEvent[];
  updates: ReadonlyMap<string, string>;
}

/** Formats events as lines of a file with a bounded number in memory. */
@Injectable()
export class EventLines {
  constructor(private readonly selected: EventSelectionRepository) {}

  /** Yields the IDs of all selected events in order. */
  async *selectedIds(events: SelectedEvents): AsyncGenerator<string[]> {
    for (let after: string | null = ''; after !== null;) {
      const { ids, last } = await this.selected.window(events, after);
      yield ids;
      after = last;
    }
  }

  /** Yields the IDs of events with a creation date from `start` to before `end`, in order of that date. */
  async *idsWithin(applicationId: string, span: { start: Date; end: Date }): AsyncGenerator<string[]> {
    for (let after = { creationDate: span.start, id: '' }; ;) {
      const page = await this.selected.page(applicationId, after, span.end);
      const last = page.at(-1);
      if (!last) return;
      yield page.map(({ id }) => id);
      after = last;
    }
  }

  /** Yields the heading and then the lines of the events in batches. */
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

  /** Yields groups of events limited by their number of updates, because updates may be large. */
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

/** Splits events into groups with at most `MAX_UPDATES` updates in total, and at least one event. */
export function groupsOf<T extends { updateCount: number }>(events: readonly T[]): T[][] {
  const groups: T[][] = [];
  let room = 0;
  for (const event of events) {
    const count = Math.min(event.updateCount, MAX_UPDATES);
    if (groups.length === 0 || count > room) {
      groups.push([]);
      room = MAX_UPDATES;
    }
    groups.at(-1)!.push(event);
    room -= count;
  }
  return groups;
}
