import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { nanoid } from 'nanoid';
import { REDIS_URL } from '../jobs/redis.js';
import type { Place } from './places.js';
import type { Principal } from './principal.js';

const DROPPED = 'fieldwright:access-dropped';
const ACKNOWLEDGED = 'fieldwright:access-dropped:acknowledged';
const LIFE_MS = 5_000;
const ENTRIES = 20_000;
const WAIT_MS = 1_000;
/** More ids than this are not listed: everything is forgotten. */
const MOST_IDS = 1_000;
const EVERYTHING = '*';

/** What is known of a request's caller and of the place that its path names. */
export interface Access {
  principal: Principal;
  place?: Place;
}

/**
 * Principals of tokens, and places that paths name, that were seen a moment ago, so that most requests cost no statement
 * to authorize.
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
  private readonly listener: Redis;
  private readonly sender: Redis;
  private listening = false;
  /** Drops that were announced here, each with a function that counts an acknowledgement. */
  private readonly awaited = new Map<string, () => void>();
  private warned = false;
  /** Counts drops, so that what was read before one is not kept after it. */
  private generation = 0;

  constructor(@Inject(REDIS_URL) redisUrl: string) {
    const options = {
      lazyConnect: true,
      maxRetriesPerRequest: 1,
      retryStrategy: (times: number) => Math.min(times * 200, 2_000),
    };
    this.listener = new Redis(redisUrl, options);
    this.sender = new Redis(redisUrl, options);
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
    await Promise.allSettled([this.listener.connect(), this.sender.connect()]);
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

  /** Reads a principal, with the place that it asks for, and keeps both unless something was dropped meanwhile. */
  async load(token: string, read: () => Promise<Access>): Promise<Access> {
    const { generation } = this;
    const access = await read();
    if (this.mayKeep(generation)) {
      this.principals.set(token, access.principal);
      if (access.place) this.places.set(access.place.id, access.place);
    }
    return access;
  }

  /** Reads a place and keeps it, unless something was dropped while it was read. */
  async loadPlace(read: () => Promise<Place | undefined>): Promise<Place | undefined> {
    const { generation } = this;
    const place = await read();
    if (place && this.mayKeep(generation)) this.places.set(place.id, place);
    return place;
  }

  /**
   * Forgets users, applications, organizations and instances by their ids, with the tokens that speak for them or for their
   * applications, in every process; done when each has said so, or after a second for one that died meanwhile.
   */
  async drop(...ids: readonly string[]): Promise<void> {
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

  private mayKeep(generation: number): boolean {
    return this.listening && generation === this.generation;
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
    for (const id of ids) this.places.delete(id);
    for (const [token, principal] of this.principals.entries()) {
      if (principal.followsFrom(ids)) this.principals.delete(token);
    }
  }

  private clear(): void {
    this.principals.clear();
    this.places.clear();
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
