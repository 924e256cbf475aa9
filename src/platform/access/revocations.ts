import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { nanoid } from 'nanoid';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { boundedRedis, REDIS_URL } from '../jobs/redis.js';
import { within } from '../../lib/async/patience.js';
import { ROW_MS, UnheardProcesses } from './unheard-processes.repository.js';

const BEAT_MS = 400;
/** Milliseconds after its last received heartbeat during which a process may use its cache. */
const LEASE_MS = 1_000;
/**
 * Number of missed own heartbeats after which a process counts as disconnected. A busy process may receive one or two
 * late.
 */
const MOST_MISSED = 3;
/**
 * How long peers assume that a process may still cache. One beat longer than the lease, in case the last heartbeat did
 * not reach them.
 */
const PEER_MS = LEASE_MS + BEAT_MS;
/** Maximum lifetime of any cache entry, regardless of heartbeats. */
export const KEPT_MS = 5_000;

/** Callbacks of a process for revocations, and for gaps during which it may have missed some. */
export interface Listener {
  revoked(what: string): void;
  missed(): void;
}

/** A revocation in flight. */
interface Sent {
  /**
   * Called when the message has come back over Redis, with the peers that may have received it and the times until
   * which they may cache.
   */
  heard: (listeners: ReadonlyMap<string, number>) => void;
  acknowledged: (peer: string) => void;
}

/**
 * Broadcasts revocations to all processes of the platform over Redis. A process may only use its cache while it
 * receives its own heartbeats, each of which grants a lease of one second. A revocation therefore waits for
 * acknowledgment by the connected processes, and for the lease of all others to expire. A process that does not receive
 * its own heartbeats records this in PostgreSQL, next to its changes. Every heartbeat begins by checking for such
 * records, and while one exists no process caches anything.
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
  /** Number of consecutive own heartbeats that have not come back. */
  private missed = 0;
  /** Time until which cached values may be used. */
  private keepUntil = -Infinity;
  /** Time of the last heartbeat of each peer. */
  private readonly peers = new Map<string, number>();
  private readonly sent = new Map<string, Sent>();
  /** Period during which the row in PostgreSQL is known to be valid. */
  private unheard = { from: 0, until: -Infinity };

  constructor(
    @Inject(REDIS_URL) redisUrl: string,
    { driver }: DataSource,
    private readonly unheardProcesses: UnheardProcesses,
  ) {
    // Redis channels are shared by all databases of a server, and several platforms may share a server.
    this.channel = `fieldwright:${driver.database}:revocations`;
    this.receiver = boundedRedis(redisUrl);
    this.sender = boundedRedis(redisUrl);
    for (const client of [this.receiver, this.sender])
      client.on('error', (error: Error) => this.noteOutage(error));
  }

  /** Whether this process currently receives every revocation. */
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
    // Wait until every process has seen the row; otherwise one might keep serving a value that was changed here last.
    await sleep(this.unheard.from + LEASE_MS - performance.now());
    await this.unheardProcesses.remove(this.id).catch(() => undefined);
  }

  /** Resolves when no process caches anything that is revoked. `what` is a single word. */
  async announce(what: string): Promise<void> {
    if (!this.isUnheard && (await this.tell(what))) return;
    try {
      await this.saySoInPostgres();
      await sleep(this.unheard.from + LEASE_MS - performance.now());
    } catch {
      await sleep(KEPT_MS);
    }
  }

  /** Sends a revocation over Redis. Returns `false` if the message does not come back. */
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
    // Between the two leases nothing was received, so revocations may have been missed.
    if (!this.areHeard) this.listener?.missed();
    this.keepUntil = Number(sentAt) + LEASE_MS;
  }

  /**
   * Returns the peers that may cache, and the latest time until which they may. Removes peers that have gone silent.
   */
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

  /** Permission to cache is determined before the time that the heartbeat carries. */
  private async sendBeat(sentAt: number): Promise<void> {
    const someAreUnheard = await within(LEASE_MS, this.unheardProcesses.exist()).catch(() => true);
    this.missed++;
    await this.send(`beat ${this.id} ${sentAt} ${someAreUnheard === false}`);
    if (!this.isUnheard || this.unheard.until - sentAt > ROW_MS / 2) return;
    await this.saySoInPostgres().catch(() => undefined);
  }

  /** Records in PostgreSQL that changes made here cannot be broadcast. */
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

  /** Logs one line per outage rather than one per reconnection attempt. */
  private noteOutage(error: Error): void {
    if (!this.warned)
      this.logger.warn(`Redis does not respond, so tokens are looked up on every request: ${error.message}`);
    this.warned = true;
  }
}
