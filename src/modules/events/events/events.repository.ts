import type { ApplicationAccess } from '../../../platform/access/request.js';
import { inApplication, withEntries } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { RowShape } from '../../../platform/database/row-shape.js';
import { prepared } from '../../../platform/database/statements.js';
import { repositoryOf } from '../../../platform/repositories/repository.js';
import { StoredResource } from '../../../platform/responses/stored-resources.js';
import { reachSql } from '../../devices/devices/device-selection.columns.js';
import { Event, EVENTS } from './event.resource.js';
import type { ChangeableProperties, ChangedEvent } from './event.rules.js';
import { MAX_UPDATES, type EventUpdate } from './event.schemas.js';

/** An event locked for a change, with its number of updates. */
export type LockedEvent = ChangeableProperties & { id: string; updateCount: number };

/** Time of a change and the job that makes it, if any. */
export interface ChangeContext {
  time: Date;
  jobId?: string;
}

/** Updates of each of many events that workflows receive. */
const MAX_LATEST_UPDATES = 10;

const AUDITED = inApplication('Event', 't.subject');

const LOCK = `SELECT t.id, t.state, t.level, t.subject, t.device_id, t.device_name, t.event_tags,
    t.disable_tag_change_tracking, t.update_count
  FROM events t WHERE t.application_id = $1 AND t.id = ANY ($2::text[])
    AND ($3::text IS NULL OR NOT EXISTS (SELECT FROM event_updates u WHERE u.event_id = t.id AND u.job_id = $3))
  ORDER BY t.id FOR NO KEY UPDATE`;
/** Each change adds one update, so at most one exceeds the limit and is deleted. */
const NOTE = `WITH noted AS MATERIALIZED (
    SELECT * FROM unnest($1::text[], $2::int[], $3::text[]) n (event_id, number, content)),
  gone AS (DELETE FROM event_updates u USING noted n WHERE u.event_id = n.event_id AND u.number = n.number - ${MAX_UPDATES})
  INSERT INTO event_updates (event_id, number, content, job_id)
  SELECT n.event_id, n.number, n.content::jsonb, $4 FROM noted n`;
const CHANGE = `UPDATE events AS t SET state = c.state, level = c.level, subject = c.subject, device_id = c.device_id,
    device_name = c.device_name, event_tags = c.event_tags::jsonb, update_count = c.update_count, last_updated = $2
  FROM unnest($3::text[], $4::event_state[], $5::event_level[], $6::text[], $7::text[], $8::text[], $9::text[], $10::int[])
    c (id, state, level, subject, device_id, device_name, event_tags, update_count)
  WHERE t.application_id = $1 AND t.id = c.id`;
/** Reads nothing if no workflow of the application listens to events. */
const LATEST = `SELECT e.id, json_agg(u.content ORDER BY u.number) AS updates FROM unnest($2::text[]) e (id)
  CROSS JOIN LATERAL (
    SELECT * FROM event_updates u WHERE u.event_id = e.id ORDER BY u.number DESC LIMIT ${MAX_LATEST_UPDATES}) u
  WHERE EXISTS (SELECT FROM flow_triggers g WHERE g.application_id = $1 AND g.type = 'event') GROUP BY e.id`;
const DROP = 'DELETE FROM events AS t WHERE t.application_id = $1 AND t.id = ANY ($2::text[])';

/** Repository of events and their updates. */
export class EventsRepository extends repositoryOf(EVENTS) {
  /** Shape of an event with its updates. */
  get fullShape(): RowShape<Event> {
    return this.shape;
  }

  /** Locks the events that exist and that the job has not changed, until the transaction ends. */
  lockMany(
    applicationId: string,
    ids: readonly string[],
    jobId: string | undefined,
    transaction: Transaction,
  ): Promise<LockedEvent[]> {
    return transaction.rows(prepared(LOCK, [applicationId, ids, jobId ?? null]));
  }

  /** Stores changed events, which must be locked, with an update for each. Returns them in the given shape. */
  async updateMany(
    applicationId: string,
    changed: readonly ChangedEvent<LockedEvent>[],
    { time, jobId }: ChangeContext,
    shape: RowShape<Event>,
    by: Author,
    transaction: Transaction,
  ): Promise<StoredResource<Event>[]> {
    const events = changed.map(({ event }) => event);
    const of = <K extends keyof LockedEvent>(property: K) => events.map((event) => event[property]);
    const numbers = of('updateCount').map((count) => count + 1);
    const updates = changed.map(({ update }) => JSON.stringify(update));
    await transaction.run(prepared(NOTE, [of('id'), numbers, updates, jobId ?? null]));
    const values = [
      applicationId,
      time,
      of('id'),
      of('state'),
      of('level'),
      of('subject'),
      of('deviceId'),
      of('deviceName'),
      of('eventTags').map((tags) => JSON.stringify(tags)),
      numbers,
    ];
    const change = withEntries({ text: CHANGE, values }, shape.columns, AUDITED, by);
    return (await transaction.run(change)).map((row) => new StoredResource(shape, row));
  }

  /** Returns the last updates of events, oldest first, by ID of the event, for workflows that listen to events. */
  async latestUpdates(
    applicationId: string,
    ids: readonly string[],
    transaction: Transaction,
  ): Promise<ReadonlyMap<string, readonly EventUpdate[]>> {
    if (ids.length === 0) return new Map();
    const rows = await transaction.rows<{ id: string; updates: EventUpdate[] }>(
      prepared(LATEST, [applicationId, ids]),
    );
    return new Map(rows.map(({ id, updates }) => [id, updates]));
  }

  /** Deletes the given events that exist and returns their number. */
  async deleteMany(
    applicationId: string,
    ids: readonly string[],
    by: Author,
    transaction: Transaction,
  ): Promise<number> {
    const change = withEntries({ text: DROP, values: [applicationId, ids] }, 't.id', AUDITED, by);
    return (await transaction.run(change)).length;
  }

  /** Returns the name of a device that the caller can access, or `undefined` if it does not exist. */
  async deviceName(application: ApplicationAccess, id: string): Promise<string | undefined> {
    const values: unknown[] = [application.id, id];
    const text = `SELECT t.name FROM devices t
      WHERE t.application_id = $1 AND t.id = $2 AND t.deleted_at IS NULL AND ${reachSql(application, values)}`;
    const [row] = await this.database.read(prepared(text, values));
    return row?.[0] ?? undefined;
  }
}
