import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { nanoid } from 'nanoid';
import { boundedRedis, REDIS_URL } from '../jobs/redis.js';
import { within } from '../patience.js';
import type { Membership, Memberships } from './memberships.js';
import type { Place } from './places.js';
import type { Principal } from './principal.js';

const DROPPED = 'fieldwright:access-dropped';
const ACKNOWLEDGED = 'fieldwright:access-dropped:acknowledged';
const LIFE_MS = 5_000;
const ENTRIES = 20_000;
const WAIT_MS = 1_000;
const MOST_LISTED = 100_000;
/** More ids than this are not listed: everything is forgotten. */
const MOST_IDS = 1_000;
const EVERYTHING = '*';

/** What is read of a request's caller: with the place that the path names their membership there, without one all of them. */
export interface Access {
  principal: Principal;
  place?: Place;
  membership?: Membership;
  memberships?: Memberships;
}

/**
 * Principals of tokens, places that paths name, and memberships of users, that were seen a moment ago, so that most
 * requests cost no statement to authorize. A place is the same for whoever asks; a membership is kept under its user.
 *
 * A change of what somebody may do drops them from every process before the change is answered: the message goes out
 * over Redis and each process that received it says that it is done. A process that cannot hear such messages keeps
 * nothing, and an entry lives five seconds at most.
 */
@Injectable()
export class AccessCache implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(AccessCache.name);
  private readonly principals = new LRUCache<string, Principal>({ max: ENTRIES, ttl: LIFE_MS });
  private readonly places = new LRUCache<string, Place>({ max: ENTRIES, ttl: LIFE_MS });
  /** By user and organization. */
  private readonly single = new LRUCache<string, Membership>({ max: ENTRIES, ttl: LIFE_MS });
  /** By user: all that they have, together no more than `MOST_LISTED`. */
  private readonly whole = new LRUCache<string, Memberships>({
    max: ENTRIES,
    maxSize: MOST_LISTED,
    sizeCalculation: (memberships) => (memberships === 'many' ? 1 : memberships.length + 1),
    ttl: LIFE_MS,
  });
  private readonly listener: Redis;
  private readonly sender: Redis;
  private listening = false;
  /** Drops that were announced here, each with a function that counts an acknowledgement. */
  private readonly awaited = new Map<string, () => void>();
  private warned = false;
  /** Counts drops, so that what was read before one is not kept after it. */
  private generation = 0;

  constructor(@Inject(REDIS_URL) redisUrl: string) {
    this.listener = boundedRedis(redisUrl);
    this.sender = boundedRedis(redisUrl);
    this.listener.on('error', (error: Error) => this.noteOutage(error));
    this.sender.on('error', (error: Error) => this.noteOutage(error));
  }

  async onModuleInit(): Promise<void> {
    this.listener.on('ready', () => void this.listen());
    this.listener.on('close', () => {
      this.listening = false;
      this.clear();
    });
    this.listener.on('message', (channel: string, message: string) => this.hear(channel, message));
    await within(WAIT_MS, Promise.allSettled([this.listener.connect(), this.sender.connect()]));
  }

  onModuleDestroy(): void {
    this.listener.disconnect();
    this.sender.disconnect();
  }

  /** The principal of a token that was seen a moment ago and has not ended. */
  get(token: string): Principal | undefined {
    const principal = this.principals.get(token);
    if (principal?.expiresAt !== undefined && principal.expiresAt * 1000 <= Date.now()) return undefined;
    return principal;
  }

  /** The application or organization of that id, when it was seen a moment ago. */
  place(id: string): Place | undefined {
    return this.places.get(id);
  }

  /** A user's membership when it was seen a moment ago; null when they were seen to have none. */
  membership(userId: string, orgId: string): Membership | null | undefined {
    const all = this.memberships(userId);
    if (all === undefined || all === 'many') return this.single.get(keyOf(userId, orgId));
    return all.find((membership) => membership.orgId === orgId) ?? null;
  }

  /** All memberships of a user, when they were seen a moment ago. */
  memberships(userId: string): Memberships | undefined {
    return this.whole.get(userId);
  }

  /** Reads a principal with what it asks for, and keeps all of it unless something was dropped meanwhile. */
  load(token: string, read: () => Promise<Access>): Promise<Access> {
    return this.reading(read, ({ principal, place, membership, memberships }) => {
      const { id } = principal.subject;
      this.principals.set(token, principal);
      if (place) this.places.set(place.id, place);
      if (membership) this.single.set(keyOf(id, membership.orgId), membership);
      if (memberships) this.whole.set(id, memberships);
    });
  }

  /** Reads a place and keeps it, unless something was dropped while it was read. */
  loadPlace(read: () => Promise<Place | undefined>): Promise<Place | undefined> {
    return this.reading(read, (place) => place && this.places.set(place.id, place));
  }

  /** As `loadPlace`, for a user's membership. */
  loadMembership(
    userId: string,
    read: () => Promise<Membership | undefined>,
  ): Promise<Membership | undefined> {
    return this.reading(
      read,
      (membership) => membership && this.single.set(keyOf(userId, membership.orgId), membership),
    );
  }

  /** As `loadPlace`, for all memberships of a user. */
  loadMemberships(userId: string, read: () => Promise<Memberships>): Promise<Memberships> {
    return this.reading(read, (memberships) => this.whole.set(userId, memberships));
  }

  /**
   * Forgets users, applications, organizations and instances by their ids, with the tokens that speak for them or for their
   * applications, in every process; done when each has said so, or after a second for one that died meanwhile.
   */
  async drop(given: string | readonly string[]): Promise<void> {
    const ids = typeof given === 'string' ? [given] : given;
    if (ids.length === 0) return;
    const dropped = ids.length > MOST_IDS ? EVERYTHING : ids.join(',');
    this.dropHere(dropped);
    const id = nanoid();
    let heard = 0;
    let expected = Infinity;
    const everyone = new Promise<void>((resolve) => {
      const check = () => heard >= expected && resolve();
      this.awaited.set(id, () => (heard++, check()));
      setTimeout(resolve, WAIT_MS).unref();
      this.sender.publish(DROPPED, `${id} ${dropped}`).then(
        (listeners) => ((expected = listeners), check()),
        // Without Redis no process hears anything, and one that hears nothing keeps nothing.
        (error: Error) => (
          this.logger.warn(`A change of rights could not be announced: ${error.message}`),
          resolve()
        ),
      );
    });
    await everyone;
    this.awaited.delete(id);
  }

  private async reading<T>(read: () => Promise<T>, keep: (found: T) => void): Promise<T> {
    const { generation } = this;
    const found = await read();
    if (this.listening && generation === this.generation) keep(found);
    return found;
  }

  private hear(channel: string, message: string): void {
    const [id = '', dropped = ''] = message.split(' ');
    if (channel === ACKNOWLEDGED) return this.awaited.get(id)?.();
    this.dropHere(dropped);
    this.sender.publish(ACKNOWLEDGED, id).catch(() => undefined);
  }

  /** One line an outage, not one for each try to connect again. */
  private noteOutage(error: Error): void {
    if (!this.warned)
      this.logger.warn(`Redis does not answer, so tokens are looked up on every request: ${error.message}`);
    this.warned = true;
  }

  private dropHere(dropped: string): void {
    this.generation++;
    if (dropped === EVERYTHING) return this.clear();
    const ids = new Set(dropped.split(','));
    for (const id of ids) {
      this.places.delete(id);
      this.whole.delete(id);
    }
    const isDropped = ({ orgId }: Membership) => ids.has(orgId);
    for (const [token, principal] of this.principals.entries()) {
      if (principal.followsFrom(ids)) this.principals.delete(token);
    }
    for (const [key, membership] of this.single.entries()) {
      if (isDropped(membership) || ids.has(userOf(key))) this.single.delete(key);
    }
    for (const [userId, memberships] of this.whole.entries()) {
      if (memberships !== 'many' && memberships.some(isDropped)) this.whole.delete(userId);
    }
  }

  private clear(): void {
    this.principals.clear();
    this.places.clear();
    this.single.clear();
    this.whole.clear();
  }

  private async listen(): Promise<void> {
    try {
      await this.listener.subscribe(DROPPED, ACKNOWLEDGED);
      this.clear();
      this.listening = true;
      this.warned = false;
    } catch {
      this.listening = false;
    }
  }
}

const keyOf = (userId: string, orgId: string): string => `${userId} ${orgId}`;
const userOf = (key: string): string => key.slice(0, key.indexOf(' '));
