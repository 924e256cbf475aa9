import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import { Database } from '../../../platform/database/database.js';
import { NotFound, ValidationError } from '../../../lib/errors/errors.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import type { RateLimit } from '../../../platform/throttle/rate-limit.js';
import { RateLimits } from '../../../platform/throttle/rate-limits.js';
import { EventChanges } from './event-changes.js';
import { EventListsRepository } from './event-lists.repository.js';
import {
  EVENTS,
  type Event,
  type EventPatch,
  type EventPlusNewCount,
  type EventPost,
} from './event.resource.js';
import { checkEvent, type NamedPatch } from './event.rules.js';
import { sourceOf } from './event-source.js';
import { eventTimeOf } from './event-time.js';
import type { EventsQuery, NewEventsQuery } from './events.query.js';
import { EventsRepository } from './events.repository.js';

/** Rate limit for the creation of events, per application. */
export const EVENT_RATE = { points: 300, duration: 10 };

/** Manages the events of applications. */
@Injectable()
export class EventsService {
  private readonly creationRate: RateLimit;

  constructor(
    private readonly events: EventsRepository,
    private readonly lists: EventListsRepository,
    private readonly changes: EventChanges,
    private readonly database: Database,
    limits: RateLimits,
  ) {
    this.creationRate = limits.limit('events', EVENT_RATE, 'The application created too many events');
  }

  list(application: ApplicationAccess, query: EventsQuery): Promise<StoredPage<Event>> {
    return this.lists.page(application, query);
  }

  async mostSevere(application: ApplicationAccess, query: NewEventsQuery): Promise<EventPlusNewCount> {
    const { event, newCount } = await this.lists.mostSevere(application, query);
    return { event: event?.toObject(), newCount };
  }

  /** Creates an event and fires the workflows triggered by it. */
  async create(application: ApplicationAccess, post: EventPost, by: Author): Promise<StoredResource<Event>> {
    checkEvent(post, 'event');
    const now = new Date();
    const creationDate = post.creationDate === undefined ? now : eventTimeOf(post.creationDate, now);
    const device = await this.deviceOf(application, post.deviceId, 'event');
    const row = {
      state: 'new' as const,
      eventTags: {},
      disableTagChangeTracking: false,
      ...post,
      ...device,
      ...sourceOf(by),
      creationDate,
      lastUpdated: now,
    };
    await this.creationRate.consume(application.id);
    return this.database.transaction(async (transaction) => {
      const event = await this.events.addToApplication(application, row, by, transaction);
      await this.changes.announce(event, by, transaction);
      return event;
    });
  }

  get(applicationId: string, id: string): Promise<StoredResource<Event>> {
    return this.events.findOneOrFail(applicationId, id);
  }

  async patch(
    application: ApplicationAccess,
    id: string,
    patch: EventPatch,
    by: Author,
  ): Promise<StoredResource<Event>> {
    const change = { patch: await this.named(application, patch, 'event'), source: sourceOf(by) };
    const [event] = await this.database.transaction((transaction) =>
      this.changes.patch(application.id, [id], change, this.events.fullShape, by, transaction),
    );
    if (!event) throw new NotFound(EVENTS.title);
    return event;
  }

  async delete(applicationId: string, id: string, by: Author): Promise<Success> {
    await this.events.delete(applicationId, id, by);
    return new Success();
  }

  /**
   * Adds the name of the device to a patch. Throws 400 if it does not exist; `body` is the name of the patch in error
   * messages.
   */
  async named(application: ApplicationAccess, patch: EventPatch, body: string): Promise<NamedPatch> {
    checkEvent(patch, body);
    return { ...patch, ...(await this.deviceOf(application, patch.deviceId, body)) };
  }

  private async deviceOf(
    application: ApplicationAccess,
    deviceId: string | null | undefined,
    body: string,
  ): Promise<{ deviceId?: string | null; deviceName?: string }> {
    if (deviceId === undefined || deviceId === null) return { deviceId };
    const id = deviceId.toLowerCase();
    const deviceName = await this.events.deviceName(application, id);
    if (deviceName === undefined)
      throw new ValidationError(`${body}.deviceId is not a device of the application`);
    return { deviceId: id, deviceName };
  }
}
