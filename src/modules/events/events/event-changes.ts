import { Injectable } from '@nestjs/common';
import type { Author } from '../../../platform/audit/author.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { RowShape } from '../../../platform/database/row-shape.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { EVENT_CHANGE } from '../../../workflows/runs/causes.js';
import { Firings } from '../../../workflows/runs/fire.js';
import type { Event } from './event.resource.js';
import { applyPatch, type NamedPatch } from './event.rules.js';
import type { EventSource, EventUpdate } from './event.schemas.js';
import { EventsRepository } from './events.repository.js';

/** A patch of events, its author, and the job that applies it, if any. */
export interface EventChange {
  patch: NamedPatch;
  source: EventSource;
  jobId?: string;
}

/** Applies changes to events and fires their workflows in the same transaction. */
@Injectable()
export class EventChanges {
  constructor(
    private readonly events: EventsRepository,
    private readonly firings: Firings,
  ) {}

  /** Fires the workflows triggered by a new event. */
  async announce(created: StoredResource<Event>, by: Author, transaction: Transaction): Promise<void> {
    await this.firings.fire(EVENT_CHANGE, [firingOf(created.toObject(), by)], transaction);
  }

  /**
   * Patches the given events that exist, with a number of statements independent of theirs. Returns them in the given
   * shape.
   */
  async patch(
    applicationId: string,
    ids: readonly string[],
    { patch, source, jobId }: EventChange,
    shape: RowShape<Event>,
    by: Author,
    transaction: Transaction,
  ): Promise<StoredResource<Event>[]> {
    const locked = await this.events.lockMany(applicationId, ids, jobId, transaction);
    if (locked.length === 0) return [];
    const time = new Date();
    const changed = locked.map((event) => applyPatch(event, patch, source, time));
    const facts = { time, jobId };
    const rows = await this.events.updateMany(applicationId, changed, facts, shape, by, transaction);
    const events = rows.map((row) => row.toObject());
    const latest = await this.latestUpdates(applicationId, events, transaction);
    const firings = events.map((event) => firingOf({ updates: latest.get(event.id), ...event }, by));
    await this.firings.fire(EVENT_CHANGE, firings, transaction);
    return rows;
  }

  /** Returns updates of events that were read without them, by ID of the event. */
  private latestUpdates(
    applicationId: string,
    events: readonly Event[],
    transaction: Transaction,
  ): Promise<ReadonlyMap<string, readonly EventUpdate[]>> {
    const ids = events.filter(({ updates }) => !updates).map(({ id }) => id);
    return this.events.latestUpdates(applicationId, ids, transaction);
  }
}

/** Size of the updates in a payload of workflows, in characters of JSON. The latest one is always part of it. */
const MAX_UPDATES_LENGTH = 256 * 1024;

/** Returns the firing of an event. Its payload is the event with its updates, oldest first. */
function firingOf({ updates = [], ...event }: Event, by: Author) {
  const { applicationId, level, state, subject, deviceId = null } = event;
  const allUpdates = lastOf(updates);
  const data = { ...event, latestUpdate: updates.at(-1), allUpdates };
  const given = JSON.stringify({ sourceId: by.id, sourceType: by.type, data });
  return {
    applicationId,
    deviceId,
    triggers: ['any', level].map((key) => ({ type: 'event', key, state, subject })),
    items: [{ given, channel: by.channel, bytes: Buffer.byteLength(given) }],
  } as const;
}

/** Returns the updates without the oldest ones that would make a payload too large. */
function lastOf(updates: readonly EventUpdate[]): readonly EventUpdate[] {
  let length = 0;
  const first = updates.findLastIndex(
    (update, i) => (length += JSON.stringify(update).length) > MAX_UPDATES_LENGTH && i < updates.length - 1,
  );
  return updates.slice(first + 1);
}
