import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { nanoid } from 'nanoid';
import { Principal } from '../access/principal.js';
import { REDIS_URL } from '../jobs/redis.js';

const DROPPED = 'fieldwright:users-dropped';
const ACKNOWLEDGED = 'fieldwright:users-dropped:acknowledged';
const LIFE_MS = 5_000;
const ENTRIES = 20_000;
const WAIT_MS = 1_000;

/**
 * Principals of tokens that were seen a moment ago, so that most requests cost no statement to authorize.
 *
 * A change of what a user may do drops them from every process before the change is answered: the message goes out
 * over Redis and each process that received it says that it is done. A process that cannot hear such messages keeps
 * nothing, and an entry lives five seconds at most.
 */
@Injectable()
export class PrincipalCache implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(PrincipalCache.name);
  private readonly entries = new LRUCache<string, Principal>({ max: ENTRIES, ttl: LIFE_MS });
  private readonly listener: Redis;
  private readonly sender: Redis;
  private listening = false;
  /** Drops that were announced here, each with a function that counts an acknowledgement. */
  private readonly awaited = new Map<string, () => void>();
  private warned = false;
  /** Counts drops, so that a principal read before one is not kept after it. */
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
      this.entries.clear();
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
    const principal = this.entries.get(token);
    if (principal?.expiresAt !== undefined && principal.expiresAt * 1000 <= Date.now()) return undefined;
    return principal;
  }

  /** Reads a principal and keeps it, unless something was dropped while it was read. */
  async load(token: string, read: () => Promise<Principal>): Promise<Principal> {
    const { generation } = this;
    const principal = await read();
    if (this.listening && generation === this.generation) this.entries.set(token, principal);
    return principal;
  }

  /** Forgets a user in every process; done when each has said so, or after a second for one that died meanwhile. */
  async drop(userId: string): Promise<void> {
    this.dropHere(userId);
    const id = nanoid();
    let heard = 0;
    let expected = Infinity;
    const everyone = new Promise<void>((resolve) => {
      const check = () => heard >= expected && resolve();
      this.awaited.set(id, () => (heard++, check()));
      setTimeout(resolve, WAIT_MS).unref();
      this.sender.publish(DROPPED, `${id} ${userId}`).then(
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

  private hear(channel: string, message: string): void {
    const [id = '', userId = ''] = message.split(' ');
    if (channel === ACKNOWLEDGED) return this.awaited.get(id)?.();
    this.dropHere(userId);
    this.sender.publish(ACKNOWLEDGED, id).catch(() => undefined);
  }

  /** One line an outage, not one for each try to connect again. */
  private noteOutage(error: Error): void {
    if (!this.warned)
      this.logger.warn(`Redis does not answer, so tokens are looked up on every request: ${error.message}`);
    this.warned = true;
  }

  private dropHere(userId: string): void {
    this.generation++;
    for (const [token, principal] of this.entries.entries()) {
      if (principal.userId === userId) this.entries.delete(token);
    }
  }

  private async listen(): Promise<void> {
    try {
      await this.listener.subscribe(DROPPED, ACKNOWLEDGED);
      this.entries.clear();
      this.listening = true;
      this.warned = false;
    } catch {
      this.listening = false;
    }
  }
}
