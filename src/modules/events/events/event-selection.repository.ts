import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { Database, type Runner } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { StoredResource } from '../../../platform/responses/stored-resources.js';
import { resolveGroups, pageResolution, searchResolution } from '../../devices/devices/resolved-groups.js';
import { eventQueryFields } from './event.columns.js';
import { LISTED_EVENT } from './event-lists.repository.js';
import type { Event } from './event.resource.js';
import { selectedSql, type EventSelection } from './event-selection.columns.js';

/**
 * Upper bound of the events that existed when a job was requested. It is read from the events: IDs created by several
 * processes within a second are not in order, and clocks differ.
 */
export interface EventsBound {
  /** Greatest ID of the events. */
  until: string;
  /** Latest creation date of the events, in ISO 8601; absent for jobs of earlier releases. */
  latest?: string;
}

/** Events that a job processes: the selected events of an application that existed at the time of the request. */
export interface SelectedEvents extends EventsBound {
  applicationId: string;
  selection: EventSelection;
}

/**
 * Selected events of one window of all events, and the ID after which the next window starts; `null` after the last.
 */
export interface EventWindow {
  ids: string[];
  last: string | null;
}

/** An event in the shape of lists, with its number of updates. */
export interface SelectedEvent {
  stored: StoredResource<Event>;
  id: string;
  updateCount: number;
}

const WINDOW = 2_000;
const BOUND = `SELECT coalesce(max(t.id), '') AS until, max(t.creation_date) AS latest FROM events t WHERE t.application_id = $1`;
const APPLICATION = 'SELECT a.name FROM applications a WHERE a.id = $1';
const SOME = `SELECT ${LISTED_EVENT.columns}, t.id, t.update_count FROM events t
  WHERE t.application_id = $1 AND t.id = ANY ($2::text[]) ORDER BY t.id`;
const UPDATES = `SELECT u.event_id, json_agg(u.content ORDER BY u.number) FROM event_updates u
  WHERE u.event_id = ANY ($1::text[]) GROUP BY u.event_id`;

/** Events after a position and before a time, ordered by creation date and ID. */
const PAGE = `SELECT t.id, t.creation_date FROM events t WHERE t.application_id = $1
  AND (t.creation_date, t.id) > ($2, $3) AND t.creation_date < $4 ORDER BY t.creation_date, t.id LIMIT $5`;

/** Position of an event in the order by creation date. */
export interface EventPlace {
  creationDate: Date;
  id: string;
}

/** Finds the events that an operation applies to. */
@Injectable()
export class EventSelectionRepository {
  constructor(private readonly database: Database) {}

  /** Returns up to `max` selected events, plus one if there are more. */
  async some({ id, ownerId }: ApplicationAccess, selection: EventSelection, max: number): Promise<string[]> {
    const following = searchResolution(this.database, { id, ownerId }, 'query');
    const followed = await resolveGroups([selection.query ?? {}], eventQueryFields, following);
    const values: unknown[] = [id];
    const text = `SELECT t.id FROM events t WHERE t.application_id = $1 AND ${selectedSql(selection, values, followed)}
      ORDER BY t.id LIMIT ${max + 1}`;
    const parameter = selection.query === undefined ? 'filter' : 'query';
    const rows = await this.database.search({ text, values }, { owner: ownerId, parameter });
    return rows.map(([found]) => found!);
  }

  /** Returns the bound of the existing events. In a transaction, call it last before the job is enqueued. */
  async bound(applicationId: string, runner: Runner = this.database): Promise<EventsBound> {
    const statement = prepared(BOUND, [applicationId]);
    const [bound] = await runner.rows<{ until: string; latest: Date | null }>(statement);
    const { until, latest } = bound!;
    return { until, latest: latest?.toISOString() };
  }

  /**
   * Returns the selected events of the next window. Each call scans a bounded number of events, because statements have
   * a short timeout and jobs do not.
   */
  async window(
    { applicationId, selection, until, latest }: SelectedEvents,
    after: string,
  ): Promise<EventWindow> {
    const following = pageResolution(this.database, applicationId, 'query');
    const followed = await resolveGroups([selection.query ?? {}], eventQueryFields, following);
    const values: unknown[] = [applicationId, after, until, WINDOW, latest ?? 'infinity'];
    const text = `WITH next AS MATERIALIZED (
        SELECT e.id FROM events e WHERE e.application_id = $1 AND e.id > $2 AND e.id <= $3 ORDER BY e.id LIMIT $4)
      SELECT (SELECT CASE WHEN count(*) = $4 THEN max(n.id) END FROM next n) AS last, ARRAY(
        SELECT t.id FROM next n CROSS JOIN LATERAL (SELECT * FROM events e WHERE e.id = n.id OFFSET 0) t
        WHERE t.creation_date <= $5 AND ${selectedSql(selection, values, followed)} ORDER BY t.id) AS ids`;
    const [window] = await this.database.rows<EventWindow>({ text, values });
    return window!;
  }

  /** Returns a page of events after a position and before `end`. */
  page(applicationId: string, after: EventPlace, end: Date): Promise<EventPlace[]> {
    const values = [applicationId, after.creationDate, after.id, end, WINDOW];
    return this.database.rows(prepared(PAGE, values));
  }

  /** Returns the events that exist, in order of ID. */
  async read(applicationId: string, ids: readonly string[]): Promise<SelectedEvent[]> {
    const rows = await this.database.run(prepared(SOME, [applicationId, ids]));
    return rows.map((row) => ({
      stored: new StoredResource(LISTED_EVENT, row),
      id: row.at(-2)!,
      updateCount: Number(row.at(-1)),
    }));
  }

  /** Returns the updates of events as JSON, by event ID. Events without updates have no entry. */
  async updatesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.database.run(prepared(UPDATES, [ids]));
    return new Map(rows.map(([id, updates]) => [id!, updates!]));
  }

  /** Returns the name of an application. */
  async nameOf(applicationId: string): Promise<string> {
    const [row] = await this.database.run(prepared(APPLICATION, [applicationId]));
    return row?.[0] ?? '';
  }
}
