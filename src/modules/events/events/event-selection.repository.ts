import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { Database, type Runner } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { Stored } from '../../../platform/responses/answers.js';
import { followGroups, paging, searching } from '../../devices/devices/followed-groups.js';
import { eventQueryFields } from './event.columns.js';
import { LISTED_EVENT } from './event-lists.repository.js';
import type { Event } from './event.resource.js';
import { selectedSql, type EventSelection } from './event-selection.columns.js';

/**
 * What no event goes beyond that was there when a job was asked for: read from those events, as of one second processes make ids in
 * orders of their own, and clocks differ.
 */
export interface EventsBound {
  /** The greatest id. */
  until: string;
  /** The latest time at which one happened, in ISO 8601; absent where an earlier release asked. */
  latest?: string;
}

/** Which events a job goes through: those of an application that are selected and that were there when it was asked for. */
export interface SelectedEvents extends EventsBound {
  applicationId: string;
  selection: EventSelection;
}

/** Those of a window of all events that are selected, and where the next one begins; nothing after the last. */
export interface EventWindow {
  ids: string[];
  last: string | null;
}

/** An event as lists show it, and how many updates it has had. */
export interface SelectedEvent {
  stored: Stored<Event>;
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

/** Those that happened after another one and before a time; of those at one time, by id. */
const PAGE = `SELECT t.id, t.creation_date FROM events t WHERE t.application_id = $1
  AND (t.creation_date, t.id) > ($2, $3) AND t.creation_date < $4 ORDER BY t.creation_date, t.id LIMIT $5`;

/** Where an event stands among those of an application, by when they happened. */
export interface EventPlace {
  creationDate: Date;
  id: string;
}

/** Finds the events that an operation is for. */
@Injectable()
export class EventSelectionRepository {
  constructor(private readonly database: Database) {}

  /** Up to `most` events that are selected, and one more where there are more. */
  async some({ id, ownerId }: ApplicationAccess, selection: EventSelection, most: number): Promise<string[]> {
    const following = searching(this.database, { id, ownerId }, 'query');
    const followed = await followGroups([selection.query ?? {}], eventQueryFields, following);
    const values: unknown[] = [id];
    const text = `SELECT t.id FROM events t WHERE t.application_id = $1 AND ${selectedSql(selection, values, followed)}
      ORDER BY t.id LIMIT ${most + 1}`;
    const parameter = selection.query === undefined ? 'filter' : 'query';
    const rows = await this.database.search({ text, values }, { owner: ownerId, parameter });
    return rows.map(([found]) => found!);
  }

  /** The bound of the events that are there; in a transaction, last before the job is enqueued. */
  async bound(applicationId: string, runner: Runner = this.database): Promise<EventsBound> {
    const statement = prepared(BOUND, [applicationId]);
    const [bound] = await runner.rows<{ until: string; latest: Date | null }>(statement);
    const { until, latest } = bound!;
    return { until, latest: latest?.toISOString() };
  }

  /** Those of the next window, which looks at so many events and no more: a job has time, a statement has none. */
  async window(
    { applicationId, selection, until, latest }: SelectedEvents,
    after: string,
  ): Promise<EventWindow> {
    const following = paging(this.database, applicationId, 'query');
    const followed = await followGroups([selection.query ?? {}], eventQueryFields, following);
    const values: unknown[] = [applicationId, after, until, WINDOW, latest ?? 'infinity'];
    const text = `WITH next AS MATERIALIZED (
        SELECT e.id FROM events e WHERE e.application_id = $1 AND e.id > $2 AND e.id <= $3 ORDER BY e.id LIMIT $4)
      SELECT (SELECT CASE WHEN count(*) = $4 THEN max(n.id) END FROM next n) AS last, ARRAY(
        SELECT t.id FROM next n CROSS JOIN LATERAL (SELECT * FROM events e WHERE e.id = n.id OFFSET 0) t
        WHERE t.creation_date <= $5 AND ${selectedSql(selection, values, followed)} ORDER BY t.id) AS ids`;
    const [window] = await this.database.rows<EventWindow>({ text, values });
    return window!;
  }

  /** Those that follow a place and happened before `end`, a page of them. */
  page(applicationId: string, after: EventPlace, end: Date): Promise<EventPlace[]> {
    const values = [applicationId, after.creationDate, after.id, end, WINDOW];
    return this.database.rows(prepared(PAGE, values));
  }

  /** Those of the events that are there, by id. */
  async read(applicationId: string, ids: readonly string[]): Promise<SelectedEvent[]> {
    const rows = await this.database.run(prepared(SOME, [applicationId, ids]));
    return rows.map((row) => ({
      stored: new Stored(LISTED_EVENT, row),
      id: row.at(-2)!,
      updateCount: Number(row.at(-1)),
    }));
  }

  /** The updates of events as JSON, by the ids of those that have some. */
  async updatesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.database.run(prepared(UPDATES, [ids]));
    return new Map(rows.map(([id, updates]) => [id!, updates!]));
  }

  /** The name of an application. */
  async nameOf(applicationId: string): Promise<string> {
    const [row] = await this.database.run(prepared(APPLICATION, [applicationId]));
    return row?.[0] ?? '';
  }
}
