import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { nanoid } from 'nanoid';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { boundedRedis, REDIS_URL } from '../jobs/redis.js';
import { within } from '../../lib/async/patience.js';
import { ROW_MS, UnheardProcesses } from './unheard-processes.repository.js';

const BEAT_MS = 400;
/** Who has not heard itself for so long keeps nothing. */
const LEASE_MS = 1_000;
/** Who misses so many heartbeats of its own is unheard. One or two may be late where the process itself is busy. */
const MOST_MISSED = 3;
/** Others believe so a little later, in case a last heartbeat did not reach them. */
const PEER_MS = LEASE_MS + BEAT_MS;
/** Nothing is kept longer than this, whatever is heard. */
export const KEPT_MS = 5_000;

/** What a process does when something is revoked, and when it may have missed that. */
export interface Listener {
  revoked(what: string): void;
  missed(): void;
}

/** A revocation on its way. */
interface Sent {
  /** Called when it came back over Redis: who else may have heard it by then, and keeps something until when. */
  heard: (listeners: ReadonlyMap<string, number>) => void;
  acknowledged: (peer: string) => void;
}

/**
 * Tells every process of the platform what was revoked, over Redis. A process may keep what it saw only as long as it hears
 * its own heartbeats, for a second each; so whoever revokes waits for those who are heard, and for the others at most until
 * their second is over. A process that does not hear itself says so in PostgreSQL, where its changes are; every heartbeat
 * begins with a look there, and as long as there is such a process nobody keeps anything.
 */
@Injectable()
export class Revocations implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(Revocations.name);
  private readonly id = nanoid();
  private readonly channel: string;
  private readonly receiver: Redis;
  private readonly sender: Redis;
  private listener?: Listener;
  private timer?: NodeJS.Timeout;
  private subscribed: Promise<void> = Promise.resolve();
  private beating: Promise<void> = Promise.resolve();
  private stopped = false;
  private warned = false;
  /** Heartbeats in a row that did not come back yet. */
  private missed = 0;
  /** Until when what was seen may be kept. */
  private keepUntil = -Infinity;
  /** When other processes were heard last. */
  private readonly peers = new Map<string, number>();
  private readonly sent = new Map<string, Sent>();
  /** From when and until when the row in PostgreSQL is known to hold. */
  private unheard = { from: 0, until: -Infinity };

  constructor(
    @Inject(REDIS_URL) redisUrl: string,
    { driver }: DataSource,
    private readonly unheardProcesses: UnheardProcesses,
  ) {
    // Channels are shared by all databases of a Redis, and a Redis by platforms.
    this.channel = `fieldwright:${driver.database}:revocations`;
    this.receiver = boundedRedis(redisUrl);
    this.sender = boundedRedis(redisUrl);
    for (const client of [this.receiver, this.sender])
      client.on('error', (error: Error) => this.noteOutage(error));
  }

  /** Whether this process hears of every revocation at this moment. */
  get areHeard(): boolean {
    return performance.now() < this.keepUntil;
  }

  listen(listener: Listener): void {
    this.listener = listener;
  }

  async onModuleInit(): Promise<void> {
    this.receiver.on('ready', () => void (this.subscribed = this.subscribe()));
    this.receiver.on('close', () => this.miss());
    this.receiver.on('message', (_channel: string, message: string) => this.receive(message));
    await within(LEASE_MS, this.connect());
    this.beat();
    await this.beating;
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.beating;
    this.miss();
    await this.send(`gone ${this.id}`);
    this.receiver.disconnect();
    this.sender.disconnect();
    if (this.unheard.until === -Infinity) return;
    // Everybody has to have read it, or somebody might keep what was changed here last.
    await sleep(this.unheard.from + LEASE_MS - performance.now());
    await this.unheardProcesses.remove(this.id).catch(() => undefined);
  }

  /** Done when no process keeps anything of what is revoked; `what` is one word. */
  async announce(what: string): Promise<void> {
    if (!this.isUnheard && (await this.tell(what))) return;
    try {
      await this.saySoInPostgres();
      await sleep(this.unheard.from + LEASE_MS - performance.now());
    } catch {
      await sleep(KEPT_MS);
    }
  }

  /** Tells the others over Redis; false where it does not come back. */
  private async tell(what: string): Promise<boolean> {
    const id = nanoid();
    const missing = new Set<string>();
    let done: () => void;
    const acknowledged = new Promise<void>((resolve) => (done = resolve));
    const heard = new Promise<ReadonlyMap<string, number>>((resolve) => {
      this.sent.set(id, {
        heard: (listeners) => {
          for (const peer of listeners.keys()) missing.add(peer);
          if (missing.size === 0) done();
          resolve(listeners);
        },
        acknowledged: (peer) => missing.delete(peer) && missing.size === 0 && done(),
      });
    });
    try {
      void this.send(`revoked ${this.id} ${id} ${what}`);
      const listeners = await within(LEASE_MS, heard);
      if (!listeners) return false;
      await within(Math.max(0, ...listeners.values()) - performance.now(), acknowledged);
      return true;
    } finally {
      this.sent.delete(id);
    }
  }

  private receive(message: string): void {
    const [kind, from = '', ...rest] = message.split(' ');
    if (kind === 'beat') return this.hearBeat(from, rest);
    if (kind === 'gone') return this.forget(from);
    const [id = '', what = ''] = rest;
    if (kind === 'forgot') return this.sent.get(id)?.acknowledged(from);
    if (from === this.id) return this.sent.get(id)?.heard(this.listeners());
    this.listener?.revoked(what);
    void this.send(`forgot ${this.id} ${id}`, from);
  }

  private hearBeat(from: string, [sentAt, mayKeep]: string[]): void {
    if (from !== this.id) return void this.peers.set(from, performance.now());
    this.missed = 0;
    this.warned = false;
    if (mayKeep !== 'true') return;
    // Between two times nothing was heard, and much may have been revoked.
    if (!this.areHeard) this.listener?.missed();
    this.keepUntil = Number(sentAt) + LEASE_MS;
  }

  /** The other processes that may keep something, and until when at most. Those that fell silent are forgotten. */
  private listeners(): ReadonlyMap<string, number> {
    const listeners = new Map<string, number>();
    for (const [peer, heardAt] of this.peers) {
      if (heardAt + PEER_MS > performance.now()) listeners.set(peer, heardAt + PEER_MS);
      else this.peers.delete(peer);
    }
    return listeners;
  }

  private forget(peer: string): void {
    this.peers.delete(peer);
    for (const { acknowledged } of this.sent.values()) acknowledged(peer);
  }

  private get isUnheard(): boolean {
    return this.missed >= MOST_MISSED;
  }

  private beat(): void {
    const startedAt = performance.now();
    this.beating = this.sendBeat(startedAt).finally(() => {
      if (this.stopped) return;
      this.timer = setTimeout(() => this.beat(), startedAt + BEAT_MS - performance.now()).unref();
    });
  }

  /** That this process may keep something was known before the moment that the heartbeat carries. */
  private async sendBeat(sentAt: number): Promise<void> {
    const someAreUnheard = await within(LEASE_MS, this.unheardProcesses.exist()).catch(() => true);
    this.missed++;
    await this.send(`beat ${this.id} ${sentAt} ${someAreUnheard === false}`);
    if (!this.isUnheard || this.unheard.until - sentAt > ROW_MS / 2) return;
    await this.saySoInPostgres().catch(() => undefined);
  }

  /** Notes in PostgreSQL that nobody hears of what is changed here. */
  private async saySoInPostgres(): Promise<void> {
    const startedAt = performance.now();
    await this.unheardProcesses.add(this.id);
    const wasThere = startedAt < this.unheard.until;
    this.unheard = { from: wasThere ? this.unheard.from : performance.now(), until: startedAt + ROW_MS };
  }

  private async send(message: string, to?: string): Promise<void> {
    await this.sender.publish(to ? `${this.channel}:${to}` : this.channel, message).catch(() => undefined);
  }

  private async connect(): Promise<void> {
    await Promise.allSettled([this.receiver.connect(), this.sender.connect()]);
    await this.subscribed;
  }

  private async subscribe(): Promise<void> {
    await this.receiver.subscribe(this.channel, `${this.channel}:${this.id}`).catch(() => undefined);
  }

  private miss(): void {
    this.keepUntil = -Infinity;
    this.listener?.missed();
  }

  /** One line an outage, not one for each try to connect again. */
  private noteOutage(error: Error): void {
    if (!this.warned)
      this.logger.warn(`Redis does not answer, so tokens are looked up on every request: ${error.message}`);
    this.warned = true;
  }
}
