import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { afterCommit } from '../database/atomic.js';
import type { Membership, Memberships } from './memberships.js';
import type { Place } from './places.js';
import type { Principal } from './principal.js';
import { MAX_CACHE_MS, Revocations } from './revocations.js';

const MAX_ENTRIES = 20_000;
const MAX_MEMBERSHIPS = 100_000;
/**
 * Maximum total size of the cached principals. Most have size 1; a device whose key lists 1,000 devices counts as
 * 1,000.
 */
const MAX_PRINCIPAL_SIZE = 1_000_000;
/** Maximum number of IDs listed in a revocation. Beyond this, the whole cache is cleared. */
const MAX_REVOKED_IDS = 1_000;
const ALL_IDS = '*';

/**
 * Data read to authorize a request: the caller's membership in the place that the path names, or all memberships if the
 * path names none.
 */
export interface Access {
  principal: Principal;
  place?: Place;
  membership?: Membership;
  memberships?: Memberships;
}

/**
 * Caches the principals of tokens, the places that paths name and the memberships of users, so that most requests need
 * no query to be authorized. Places are shared by all callers; memberships are keyed by user.
 *
 * A change of permissions evicts the affected entries from every process before the change is acknowledged. A process
 * that cannot receive revocations caches nothing, and an entry lives five seconds at most.
 */
@Injectable()
export class AccessCache {
  private readonly principals = new LRUCache<string, Principal>({
    max: MAX_ENTRIES,
    maxSize: MAX_PRINCIPAL_SIZE,
    sizeCalculation: ({ size }) => size,
    ttl: MAX_CACHE_MS,
  });
  /** Workflows by ID. Apart from tokens, so that no text of a caller is a key of it. */
  private readonly workflows = new LRUCache<string, Principal>({ max: MAX_ENTRIES, ttl: MAX_CACHE_MS });
  private readonly places = new LRUCache<string, Place>({ max: MAX_ENTRIES, ttl: MAX_CACHE_MS });
  /** Keyed by user and organization. */
  private readonly membershipsByOrg = new LRUCache<string, Membership>({
    max: MAX_ENTRIES,
    ttl: MAX_CACHE_MS,
  });
  /** Keyed by user: all memberships of the user. The cache holds `MAX_MEMBERSHIPS` entries in total. */
  private readonly membershipsByUser = new LRUCache<string, Memberships>({
    max: MAX_ENTRIES,
    maxSize: MAX_MEMBERSHIPS,
    sizeCalculation: (memberships) => (memberships === 'many' ? 1 : memberships.length + 1),
    ttl: MAX_CACHE_MS,
  });
  /** Number of evictions so far. A value read before an eviction is not cached after it. */
  private generation = 0;
  private readonly evictionListeners: ((ids: ReadonlySet<string> | 'all') => void)[] = [];

  constructor(private readonly revocations: Revocations) {
    revocations.listen('access', { revoked: (ids) => this.evictLocally(ids), missed: () => this.clear() });
  }

  /** Whether evictions by other processes are currently received. */
  get receivesEvictions(): boolean {
    return this.revocations.isConnected;
  }

  /** Calls `listener` with the IDs of each eviction, in any process. Meant for state that outlives a request. */
  onEvict(listener: (ids: ReadonlySet<string> | 'all') => void): void {
    this.evictionListeners.push(listener);
  }

  /** Returns the cached principal of a token unless the token has expired. */
  get(token: string): Principal | undefined {
    const principal = this.cached(this.principals, token);
    if (principal?.expiresAt !== undefined && principal.expiresAt * 1000 <= Date.now()) return undefined;
    return principal;
  }

  /** Returns a workflow as a caller if it is cached. */
  workflow(id: string): Principal | undefined {
    return this.cached(this.workflows, id);
  }

  /** Returns the application or organization with this ID if it is cached. */
  place(id: string): Place | undefined {
    return this.cached(this.places, id);
  }

  /**
   * Returns a user's cached membership; `null` if the user is known not to be a member, `undefined` if nothing is
   * cached.
   */
  membership(userId: string, orgId: string): Membership | null | undefined {
    const all = this.memberships(userId);
    if (all === undefined || all === 'many') return this.cached(this.membershipsByOrg, keyOf(userId, orgId));
    return all.find((membership) => membership.orgId === orgId) ?? null;
  }

  /** Returns all memberships of a user if they are cached. */
  memberships(userId: string): Memberships | undefined {
    return this.cached(this.membershipsByUser, userId);
  }

  /**
   * Reads a principal and the data of its request, and caches all of it unless something was evicted during the read.
   */
  load(token: string, read: () => Promise<Access>): Promise<Access> {
    return this.readThrough(read, ({ principal, place, membership, memberships }) => {
      const { id } = principal.subject;
      this.principals.set(token, principal);
      if (place) this.places.set(place.id, place);
      if (membership) this.membershipsByOrg.set(keyOf(id, membership.orgId), membership);
      if (memberships) this.membershipsByUser.set(id, memberships);
    });
  }

  /** Reads a workflow as a caller, and caches it unless something was evicted during the read. */
  loadWorkflow(id: string, read: () => Promise<Principal | undefined>): Promise<Principal | undefined> {
    return this.readThrough(read, (workflow) => workflow && this.workflows.set(id, workflow));
  }

  /** Reads a place and caches it unless something was evicted during the read. */
  loadPlace(read: () => Promise<Place | undefined>): Promise<Place | undefined> {
    return this.readThrough(read, (place) => place && this.places.set(place.id, place));
  }

  /** Like `loadPlace`, for a user's membership. */
  loadMembership(
    userId: string,
    read: () => Promise<Membership | undefined>,
  ): Promise<Membership | undefined> {
    return this.readThrough(
      read,
      (membership) => membership && this.membershipsByOrg.set(keyOf(userId, membership.orgId), membership),
    );
  }

  /** Like `loadPlace`, for all memberships of a user. */
  loadMemberships(userId: string, read: () => Promise<Memberships>): Promise<Memberships> {
    return this.readThrough(read, (memberships) => this.membershipsByUser.set(userId, memberships));
  }

  /**
   * Evicts users, applications, organizations, instances, devices and access keys by their IDs from every process,
   * along with the tokens that act for them or for their applications. Resolves when no process caches any of it.
   */
  async evict(given: string | readonly string[]): Promise<void> {
    const ids = typeof given === 'string' ? [given] : given;
    if (ids.length === 0) return;
    const dropped = ids.length > MAX_REVOKED_IDS ? ALL_IDS : ids.join(',');
    await afterCommit(() => {
      this.evictLocally(dropped);
      return this.revocations.announce('access', dropped);
    });
  }

  /**
   * Returns a cached value. Returns `undefined` if the process cannot receive revocations, because the value may have
   * been revoked.
   */
  private cached<T>(cache: { get(key: string): T | undefined }, key: string): T | undefined {
    return this.revocations.isConnected ? cache.get(key) : undefined;
  }

  private async readThrough<T>(read: () => Promise<T>, keep: (found: T) => void): Promise<T> {
    const { generation } = this;
    const found = await read();
    if (this.revocations.isConnected && generation === this.generation) keep(found);
    return found;
  }

  private evictLocally(dropped: string): void {
    if (dropped === ALL_IDS) return this.clear();
    this.generation++;
    const ids = new Set(dropped.split(','));
    for (const id of ids) {
      this.places.delete(id);
      this.membershipsByUser.delete(id);
    }
    const isDropped = ({ orgId }: Membership) => ids.has(orgId);
    for (const callers of [this.principals, this.workflows])
      for (const [key, principal] of callers.entries()) if (principal.dependsOn(ids)) callers.delete(key);
    for (const [key, membership] of this.membershipsByOrg.entries()) {
      if (isDropped(membership) || ids.has(userOf(key))) this.membershipsByOrg.delete(key);
    }
    for (const [userId, memberships] of this.membershipsByUser.entries()) {
      if (memberships !== 'many' && memberships.some(isDropped)) this.membershipsByUser.delete(userId);
    }
    for (const listener of this.evictionListeners) listener(ids);
  }

  private clear(): void {
    this.generation++;
    this.principals.clear();
    this.workflows.clear();
    this.places.clear();
    this.membershipsByOrg.clear();
    this.membershipsByUser.clear();
    for (const listener of this.evictionListeners) listener('all');
  }
}

const keyOf = (userId: string, orgId: string): string => `${userId} ${orgId}`;
const userOf = (key: string): string => key.slice(0, key.indexOf(' '));
