import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { nanoid } from 'nanoid';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { boundedRedis, REDIS_URL } from '../jobs/redis.js';
import { withTimeout } from '../../lib/async/with-timeout.js';
import { ROW_LIFETIME_MS, DisconnectedProcessesRepository } from './disconnected-processes.repository.js';
import { Peers } from './peers.js';

const HEARTBEAT_MS = 400;
/** Milliseconds after its last received heartbeat during which a process may use its cache. */
const LEASE_MS = 1_000;
/**
 * Number of missed own heartbeats after which a process counts as disconnected. A busy process may receive one or two
 * late.
 */
const MAX_MISSED_HEARTBEATS = 3;
/**
 * How long peers assume that a process may still cache. One beat longer than the lease, in case the last heartbeat did
 * not reach them.
 */
const PEER_LEASE_MS = LEASE_MS + HEARTBEAT_MS;
/** Maximum lifetime of any cache entry, regardless of heartbeats. */
export const MAX_CACHE_MS = 5_000;

/** Subjects of revocations: the data that decides about access, and what sites of experiences are made of. */
export type Topic = 'access' | 'sites';

/** Callbacks of a process for revocations of a topic, and for gaps during which it may have missed some. */
export interface Listener {
  revoked(what: string): void;
  missed(): void;
}

/** A revocation in flight. */
interface PendingRevocation {
  /**
   * Called when the message has come back over Redis, with the peers that may have received it and the times until
   * which they may cache.
   */
  received: (listeners: ReadonlyMap<string, number>) => void;
  acknowledged: (peer: string) => void;
}

/**
 * Broadcasts revocations to all processes of the platform over Redis. A process may only use its cache while it
 * receives its own heartbeats, each of which grants a lease of one second. A revocation therefore waits for
 * acknowledgment by the connected processes, and for the lease of all others to expire. A process that starts beside
 * others, or has missed heartbeats, gets a lease only when they must have heard of it. One that has heard of no other
 * therefore broadcasts nothing. A process that does not receive its own heartbeats records this in PostgreSQL, next to
 * its changes. Every heartbeat begins by checking for such records, and while one exists no process caches anything.
 */
@Injectable()
export class Revocations implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(Revocations.name);
  private readonly id = nanoid();
  private readonly channel: string;
  private readonly receiver: Redis;
  private readonly sender: Redis;
  private readonly listeners = new Map<Topic, Listener>();
  private peerLostListener: () => void = () => undefined;
  private timer?: NodeJS.Timeout;
  private subscribed: Promise<void> = Promise.resolve();
  private heartbeat: Promise<void> = Promise.resolve();
  private stopped = false;
  private isOutageLogged = false;
  /** Number of consecutive own heartbeats that have not come back. */
  private missedHeartbeats = 0;
  /** Time until which cached values may be used. */
  private leaseUntil = -Infinity;
  /** Time of the last own heartbeat that came back. */
  private heardAt = -Infinity;
  /** Time since which own heartbeats have come back without a gap. */
  private heardSince = Infinity;
  /** Whether no other process was there when this one started. */
  private startedAlone = false;
  /** Whether a row of a disconnected process was in PostgreSQL at the last heartbeat. */
  private someWereUnheard = false;
  private readonly peers = new Peers();
  private readonly pending = new Map<string, PendingRevocation>();
  /** Period during which the row in PostgreSQL is known to be valid. */
  private disconnection = { from: 0, until: -Infinity };

  constructor(
    @Inject(REDIS_URL) redisUrl: string,
    { driver }: DataSource,
    private readonly disconnectedProcesses: DisconnectedProcessesRepository,
  ) {
    // Redis channels are shared by all databases of a server, and several platforms may share a server.
    this.channel = `fieldwright:${driver.database}:revocations`;
    this.receiver = boundedRedis(redisUrl);
    this.sender = boundedRedis(redisUrl);
    for (const client of [this.receiver, this.sender])
      client.on('error', (error: Error) => this.logOutage(error));
  }

  /** Whether this process currently receives every revocation. */
  get isConnected(): boolean {
    return performance.now() < this.leaseUntil;
  }

  /**
   * Whether no other process caches anything. One that starts heartbeats for longer than a lease before it caches, so a
   * process with a lease has heard of it by then.
   */
  private get isAlone(): boolean {
    return this.isConnected && !this.hasPeers;
  }

  /** Whether other processes of the platform exist, as far as this one has heard. */
  get hasPeers(): boolean {
    return this.peers.size > 0;
  }

  listen(topic: Topic, listener: Listener): void {
    this.listeners.set(topic, listener);
  }

  /** Calls `listener` after a peer died or was disconnected. It may have changed data without telling others. */
  onPeerLost(listener: () => void): void {
    this.peerLostListener = listener;
  }

  async onModuleInit(): Promise<void> {
    this.receiver.on('ready', () => void (this.subscribed = this.subscribe()));
    this.receiver.on('close', () => this.expireLease());
    this.receiver.on('message', (_channel: string, message: string) => this.receive(message));
    await withTimeout(LEASE_MS, this.connect());
    this.startHeartbeat();
    await this.heartbeat;
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.heartbeat;
    this.expireLease();
    await this.send(`gone ${this.id}`);
    this.receiver.disconnect();
    this.sender.disconnect();
    if (this.disconnection.until === -Infinity) return;
    // Wait until every process has seen the row; otherwise one might keep serving a value that was changed here last.
    await sleep(Math.max(0, this.disconnection.from + LEASE_MS - performance.now()));
    await this.disconnectedProcesses.remove(this.id).catch(() => undefined);
  }

  /** Resolves when no process caches anything that is revoked. `what` is a single word without a colon. */
  async announce(topic: Topic, what: string): Promise<void> {
    if (this.isAlone) return;
    if (!this.isDisconnected && (await this.broadcast(wordOf(topic, what)))) return;
    try {
      await this.recordDisconnection();
      await sleep(Math.max(0, this.disconnection.from + LEASE_MS - performance.now()));
    } catch {
      await sleep(MAX_CACHE_MS);
    }
  }

  /** Sends a revocation over Redis. Returns `false` if the message does not come back. */
  private async broadcast(what: string): Promise<boolean> {
    const id = nanoid();
    const missing = new Set<string>();
    let done: () => void;
    const acknowledged = new Promise<void>((resolve) => (done = resolve));
    const heard = new Promise<ReadonlyMap<string, number>>((resolve) => {
      this.pending.set(id, {
        received: (listeners) => {
          for (const peer of listeners.keys()) missing.add(peer);
          if (missing.size === 0) done();
          resolve(listeners);
        },
        acknowledged: (peer) => missing.delete(peer) && missing.size === 0 && done(),
      });
    });
    try {
      void this.send(`revoked ${this.id} ${id} ${what}`);
      const listeners = await withTimeout(LEASE_MS, heard);
      if (!listeners) return false;
      if (missing.size > 0)
        await withTimeout(Math.max(...listeners.values()) - performance.now(), acknowledged);
      return true;
    } finally {
      this.pending.delete(id);
    }
  }

  private receive(message: string): void {
    const [kind, from = '', ...rest] = message.split(' ');
    if (kind === 'beat') return this.receiveHeartbeat(from, rest);
    if (kind === 'gone') return this.removePeer(from);
    const [id = '', what = ''] = rest;
    if (kind === 'forgot') return this.pending.get(id)?.acknowledged(from);
    if (from === this.id)
      return this.pending.get(id)?.received(this.peers.within(PEER_LEASE_MS, performance.now()));
    const [topic, revoked] = topicOf(what);
    this.listeners.get(topic)?.revoked(revoked);
    void this.send(`forgot ${this.id} ${id}`, from);
  }

  private receiveHeartbeat(from: string, [sentAt, mayKeep]: string[]): void {
    const now = performance.now();
    if (from !== this.id) return this.peers.beat(from, now);
    this.missedHeartbeats = 0;
    this.isOutageLogged = false;
    if (now - this.heardAt > LEASE_MS) {
      this.heardSince = this.startedAlone ? -Infinity : now;
      this.startedAlone = false;
    }
    this.heardAt = now;
    if (this.peers.ownBeat(now) > 0) this.peerLostListener();
    if (mayKeep !== 'true') return;
    if (!this.isConnected) {
      if (now - this.heardSince < PEER_LEASE_MS) return;
      // Between the two leases nothing was received, so revocations may have been missed.
      this.tellMissed();
    }
    this.leaseUntil = Number(sentAt) + LEASE_MS;
  }

  private removePeer(peer: string): void {
    this.peers.remove(peer);
    for (const { acknowledged } of this.pending.values()) acknowledged(peer);
  }

  private get isDisconnected(): boolean {
    return this.missedHeartbeats >= MAX_MISSED_HEARTBEATS;
  }

  private startHeartbeat(): void {
    const startedAt = performance.now();
    this.heartbeat = this.sendHeartbeat(startedAt).finally(() => {
      if (this.stopped) return;
      const pauseMs = Math.max(0, startedAt + HEARTBEAT_MS - performance.now());
      this.timer = setTimeout(() => this.startHeartbeat(), pauseMs).unref();
    });
  }

  /** Permission to cache is determined before the time that the heartbeat carries. */
  private async sendHeartbeat(sentAt: number): Promise<void> {
    const someAreUnheard = await withTimeout(LEASE_MS, this.disconnectedProcesses.exist()).catch(
      () => undefined,
    );
    if (someAreUnheard === false && this.someWereUnheard) this.peerLostListener();
    this.someWereUnheard = someAreUnheard ?? this.someWereUnheard;
    this.missedHeartbeats++;
    await this.send(`beat ${this.id} ${sentAt} ${someAreUnheard === false}`);
    if (!this.isDisconnected || this.disconnection.until - sentAt > ROW_LIFETIME_MS / 2) return;
    await this.recordDisconnection().catch(() => undefined);
  }

  /** Records in PostgreSQL that changes made here cannot be broadcast. */
  private async recordDisconnection(): Promise<void> {
    const startedAt = performance.now();
    await this.disconnectedProcesses.add(this.id);
    const wasThere = startedAt < this.disconnection.until;
    this.disconnection = {
      from: wasThere ? this.disconnection.from : performance.now(),
      until: startedAt + ROW_LIFETIME_MS,
    };
  }

  private async send(message: string, to?: string): Promise<void> {
    await this.sender.publish(to ? `${this.channel}:${to}` : this.channel, message).catch(() => undefined);
  }

  private async connect(): Promise<void> {
    await Promise.allSettled([this.receiver.connect(), this.sender.connect()]);
    await this.subscribed;
    const subscribers = await this.sender.pubsub('NUMSUB', this.channel).catch(() => undefined);
    this.startedAlone = subscribers?.[1] === 1;
  }

  private async subscribe(): Promise<void> {
    await this.receiver.subscribe(this.channel, `${this.channel}:${this.id}`).catch(() => undefined);
  }

  private expireLease(): void {
    this.leaseUntil = -Infinity;
    this.heardAt = -Infinity;
    this.tellMissed();
  }

  private tellMissed(): void {
    for (const listener of this.listeners.values()) listener.missed();
  }

  /** Logs one line per outage rather than one per reconnection attempt. */
  private logOutage(error: Error): void {
    if (!this.isOutageLogged)
      this.logger.warn(`Redis does not respond, so tokens are looked up on every request: ${error.message}`);
    this.isOutageLogged = true;
  }
}

/** Access has no prefix, so that processes of earlier versions understand its revocations. */
const wordOf = (topic: Topic, what: string): string => (topic === 'access' ? what : `${topic}:${what}`);

function topicOf(word: string): [Topic, string] {
  const colon = word.indexOf(':');
  return colon < 0 ? ['access', word] : [word.slice(0, colon) as Topic, word.slice(colon + 1)];
}
