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
    const moved = new Map(
      changed
        .filter(({ update }) => update.stateChange)
        .map(({ event, update }) => [event.id, update] as const),
    );
    const firings = rows
      .map((row) => row.toObject())
      .filter(({ id }) => moved.has(id))
      .map((event) => firingOf(event, by, moved.get(event.id)));
    await this.firings.fire(EVENT_CHANGE, firings, transaction);
    return rows;
  }
}

/** Returns the firing of an event. Its payload is the event without its updates, and the update that changed its state. */
function firingOf({ updates: _updates, ...event }: Event, by: Author, update?: EventUpdate) {
  const { id, applicationId, level, state, subject, deviceId = null } = event;
  const given = JSON.stringify({ sourceId: id, data: { ...event, update } });
  return {
    applicationId,
    deviceId,
    triggers: ['any', level].map((key) => ({ type: 'event', key, state, subject })),
    items: [{ given, channel: by.channel, bytes: Buffer.byteLength(given) }],
  } as const;
}
