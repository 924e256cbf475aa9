import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Membership, Memberships } from './memberships.js';
import type { Place } from './places.js';
import type { Principal } from './principal.js';
import { KEPT_MS, Revocations } from './revocations.js';

const ENTRIES = 20_000;
const MOST_LISTED = 100_000;
/** Most principals are one; a device whose key names a thousand is as many. */
const MOST_HELD = 1_000_000;
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
 * A change of what somebody may do drops them from every process before the change is answered. A process that would not
 * hear of that keeps nothing, and an entry lives five seconds at most.
 */
@Injectable()
export class AccessCache {
  private readonly principals = new LRUCache<string, Principal>({
    max: ENTRIES,
    maxSize: MOST_HELD,
    sizeCalculation: ({ size }) => size,
    ttl: KEPT_MS,
  });
  private readonly places = new LRUCache<string, Place>({ max: ENTRIES, ttl: KEPT_MS });
  /** By user and organization. */
  private readonly single = new LRUCache<string, Membership>({ max: ENTRIES, ttl: KEPT_MS });
  /** By user: all that they have, together no more than `MOST_LISTED`. */
  private readonly whole = new LRUCache<string, Memberships>({
    max: ENTRIES,
    maxSize: MOST_LISTED,
    sizeCalculation: (memberships) => (memberships === 'many' ? 1 : memberships.length + 1),
    ttl: KEPT_MS,
  });
  /** Counts drops, so that what was read before one is not kept after it. */
  private generation = 0;
  private dropped: (ids: ReadonlySet<string> | 'all') => void = () => undefined;

  constructor(private readonly revocations: Revocations) {
    revocations.listen({ revoked: (ids) => this.dropHere(ids), missed: () => this.clear() });
  }

  /** Whether drops of other processes are heard at this moment. */
  get hearsDrops(): boolean {
    return this.revocations.areHeard;
  }

  /** Has `listener` called with the ids of each drop, in whichever process it was, for what outlives a request. */
  onDrop(listener: (ids: ReadonlySet<string> | 'all') => void): void {
    this.dropped = listener;
  }

  /** The principal of a token that was seen a moment ago and has not ended. */
  get(token: string): Principal | undefined {
    const principal = this.kept(this.principals, token);
    if (principal?.expiresAt !== undefined && principal.expiresAt * 1000 <= Date.now()) return undefined;
    return principal;
  }

  /** The application or organization of that id, when it was seen a moment ago. */
  place(id: string): Place | undefined {
    return this.kept(this.places, id);
  }

  /** A user's membership when it was seen a moment ago; null when they were seen to have none. */
  membership(userId: string, orgId: string): Membership | null | undefined {
    const all = this.memberships(userId);
    if (all === undefined || all === 'many') return this.kept(this.single, keyOf(userId, orgId));
    return all.find((membership) => membership.orgId === orgId) ?? null;
  }

  /** All memberships of a user, when they were seen a moment ago. */
  memberships(userId: string): Memberships | undefined {
    return this.kept(this.whole, userId);
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
   * Forgets users, applications, organizations, instances, devices and access keys by their ids, with the tokens that speak for them or for their
   * applications, in every process; done when no process keeps any of it.
   */
  async drop(given: string | readonly string[]): Promise<void> {
    const ids = typeof given === 'string' ? [given] : given;
    if (ids.length === 0) return;
    const dropped = ids.length > MOST_IDS ? EVERYTHING : ids.join(',');
    this.dropHere(dropped);
    await this.revocations.announce(dropped);
  }

  /** What may be read now: what a process keeps that hears nothing may have been revoked. */
  private kept<T>(cache: { get(key: string): T | undefined }, key: string): T | undefined {
    return this.revocations.areHeard ? cache.get(key) : undefined;
  }

  private async reading<T>(read: () => Promise<T>, keep: (found: T) => void): Promise<T> {
    const { generation } = this;
    const found = await read();
    if (this.revocations.areHeard && generation === this.generation) keep(found);
    return found;
  }

  private dropHere(dropped: string): void {
    if (dropped === EVERYTHING) return this.clear();
    this.generation++;
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
    this.dropped(ids);
  }

  private clear(): void {
    this.generation++;
    this.principals.clear();
    this.places.clear();
    this.single.clear();
    this.whole.clear();
    this.dropped('all');
  }
}

const keyOf = (userId: string, orgId: string): string => `${userId} ${orgId}`;
const userOf = (key: string): string => key.slice(0, key.indexOf(' '));
