import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { boundedRedis, REDIS_URL } from '../jobs/redis.js';
import { withTimeout } from '../../lib/async/with-timeout.js';
import { isAfter, NO_EVENT, type EventId } from './event-id.js';

/** An event for the current subscribers; `data` is serialized as JSON. */
export interface StreamEvent {
  name: string;
  data: unknown;
}

/** An event received from Redis: `data` is JSON text. IDs increase within a channel. */
export interface ReceivedEvent {
  id: EventId;
  name: string;
  data: string;
}

/** Handle with which a subscriber unsubscribes. */
export interface Subscription {
  close(): void;
}

interface Subscriber {
  listener: (event: ReceivedEvent) => void;
  /** Last received event, or the event after which to start; `undefined` until Redis has reported the newest one. */
  lastEventId?: EventId;
  /** Events that arrive while older events are being read. */
  held: ReceivedEvent[];
  catchingUp: number;
}

/** Seconds that events are kept for returning subscribers, and their maximum number per channel. */
const RETENTION_SECONDS = 60;
const MAX_RETAINED = 100;
/** Maximum bytes kept per channel, which limits the number of large events. The newest one is always kept. */
const MAX_RETAINED_BYTES = 256 * 1024;
/** A subscription is registered for a limited time and renewed well before it expires. */
const RENEW_TICKS = 15;
const TICK_MS = 1_000;
/** Maximum number of events queued for Redis; further events are lost, as during an outage. */
const MAX_QUEUED = 2_000;
/** Maximum wait for Redis when a subscriber is added. */
const PUBLISH_TIMEOUT_MS = 1_000;

/** Stores and publishes an event atomically, so that both have the same order. */
const PUBLISH = `local id = redis.call('XADD', KEYS[1], 'MAXLEN', ARGV[1], '*', 'name', ARGV[2], 'data', ARGV[3])
redis.call('EXPIRE', KEYS[1], ${RETENTION_SECONDS})
redis.call('PUBLISH', KEYS[1], id .. ' ' .. ARGV[2] .. ' ' .. ARGV[3])`;

/**
 * Publishes events to subscribers in all processes through Redis. For channels without a subscriber in the last minute,
 * publishing costs a look-up that concurrent events share. Publishing never blocks or fails: while Redis is down,
 * events are lost; afterwards, subscribers continue with the events that they missed in the last minute.
 *
 * A process has two connections, regardless of the number of subscribers: one receives, the other publishes and reads.
 */
@Injectable()
export class Streams implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(Streams.name);
  private readonly prefix: string;
  private readonly receiver: Redis;
  private readonly sender: Redis;
  private readonly channels = new Map<string, Set<Subscriber>>();
  private queue: { channel: string; event: StreamEvent }[] = [];
  private flushing?: Promise<void>;
  private timer?: NodeJS.Timeout;
  private ticks = 0;
  private stopped = false;
  private warned = false;

  constructor(@Inject(REDIS_URL) redisUrl: string, { driver }: DataSource) {
    // Platforms may share a Redis, and all its databases share the channels.
    this.prefix = `fieldwright:${driver.database}:streams:`;
    this.receiver = boundedRedis(redisUrl);
    this.sender = boundedRedis(redisUrl);
    for (const client of [this.receiver, this.sender])
      client.on('error', (error: Error) => this.logOutage(error));
  }

  async onModuleInit(): Promise<void> {
    this.receiver.on('ready', () => void this.resume());
    this.receiver.on('message', (key: string, message: string) => this.receive(key, message));
    await withTimeout(
      PUBLISH_TIMEOUT_MS,
      Promise.allSettled([this.receiver.connect(), this.sender.connect()]),
    );
    this.timer = setInterval(() => this.tick(), TICK_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.flushing;
    this.stopped = true;
    this.receiver.disconnect();
    this.sender.disconnect();
  }

  /** Publishes an event to the subscribers of a channel. Call this after the transaction is committed. */
  publish(channel: string, event: StreamEvent): void {
    if (this.stopped || this.queue.length >= MAX_QUEUED) return;
    this.queue.push({ channel, event });
    this.flushing ??= this.flush();
  }

  /**
   * Calls `listener` with each new event of the channel or, with the ID of an event received in any process, with all
   * events after it. Resolves when Redis has registered the subscriber, or after one second.
   */
  async subscribe(
    channel: string,
    listener: (event: ReceivedEvent) => void,
    after?: EventId,
  ): Promise<Subscription> {
    const listening: Subscriber = { listener, lastEventId: after, held: [], catchingUp: 0 };
    const key = this.prefix + channel;
    const others = this.channels.get(key);
    if (others) others.add(listening);
    else this.channels.set(key, new Set([listening]));
    await withTimeout(PUBLISH_TIMEOUT_MS, this.join([key], [[key, listening]]));
    return { close: () => this.leave(key, listening) };
  }

  /** Sends all events of one turn of the event loop together. */
  private async flush(): Promise<void> {
    await nextTurn();
    while (this.queue.length > 0) {
      const events = this.queue;
      this.queue = [];
      await this.send(events).catch((error: Error) => this.logOutage(error));
    }
    this.flushing = undefined;
  }

  private async send(events: readonly { channel: string; event: StreamEvent }[]): Promise<void> {
    const keys = [...new Set(events.map(({ channel }) => this.prefix + channel))];
    const wanted = await this.sender.mget(keys.map(subscribedKey));
    const heard = new Set(keys.filter((_, i) => wanted[i] !== null));
    if (heard.size === 0) return;
    const telling = this.sender.pipeline();
    for (const { channel, event } of events) {
      const key = this.prefix + channel;
      if (!heard.has(key)) continue;
      const data = JSON.stringify(event.data);
      const kept = Math.max(
        1,
        Math.min(MAX_RETAINED, Math.floor(MAX_RETAINED_BYTES / Buffer.byteLength(data))),
      );
      telling.eval(PUBLISH, 1, key, kept, event.name, data);
    }
    await telling.exec();
  }

  private receive(key: string, message: string): void {
    const afterId = message.indexOf(' ');
    const afterName = message.indexOf(' ', afterId + 1);
    const event: ReceivedEvent = {
      id: message.slice(0, afterId),
      name: message.slice(afterId + 1, afterName),
      data: message.slice(afterName + 1),
    };
    for (const listening of this.channels.get(key) ?? []) {
      if (listening.catchingUp > 0) listening.held.push(event);
      else deliver(listening, event);
    }
  }

  /** Resumes all subscriptions when Redis is available again. */
  private async resume(): Promise<void> {
    this.warned = false;
    const all = [...this.channels].flatMap(([key, set]) => [...set].map((one) => [key, one] as const));
    await this.join([...this.channels.keys()], all);
  }

  /** Subscribes to channels in Redis and delivers missed events to subscribers. Failures are retried on reconnect. */
  private async join(
    keys: readonly string[],
    listening: readonly (readonly [string, Subscriber])[],
  ): Promise<void> {
    if (keys.length === 0) return;
    for (const [, one] of listening) one.catchingUp++;
    try {
      await this.receiver.subscribe(...keys);
      await this.renew(keys);
      await Promise.all(listening.map(([key, one]) => this.catchUp(key, one)));
    } catch (error) {
      this.logOutage(error as Error);
    }
    for (const [, one] of listening) {
      if (--one.catchingUp > 0) continue;
      for (const event of one.held.splice(0)) deliver(one, event);
    }
  }

  private async catchUp(key: string, listening: Subscriber): Promise<void> {
    if (listening.lastEventId === undefined) {
      const [newest] = await this.sender.xrevrange(key, '+', '-', 'COUNT', 1);
      listening.lastEventId = newest?.[0] ?? NO_EVENT;
      return;
    }
    const kept = await this.sender.xrange(key, listening.lastEventId, '+');
    for (const [id, [, name = '', , data = '']] of kept) deliver(listening, { id, name, data });
  }

  /** Registers the subscription for another minute, so that events are stored and published. */
  private async renew(keys: Iterable<string>): Promise<void> {
    const saying = this.sender.pipeline();
    for (const key of keys) saying.set(subscribedKey(key), '', 'EX', RETENTION_SECONDS);
    const failed = (await saying.exec())?.find(([error]) => error);
    if (failed) throw failed[0]!;
  }

  private leave(key: string, listening: Subscriber): void {
    const others = this.channels.get(key);
    others?.delete(listening);
    if (others?.size !== 0) return;
    this.channels.delete(key);
    this.receiver.unsubscribe(key).catch(() => undefined);
  }

  /**
   * Pings the idle connection, because a lost connection is otherwise not detected; it is replaced if it does not
   * respond.
   */
  private tick(): void {
    if (this.channels.size === 0) return;
    this.receiver.ping().catch(() => undefined);
    if (++this.ticks % RENEW_TICKS === 0) this.renew(this.channels.keys()).catch(() => undefined);
  }

  /** Logs one line per outage rather than one per event. */
  private logOutage(error: Error): void {
    if (!this.warned && !this.stopped)
      this.logger.warn(`Redis does not respond, so event streams are paused: ${error.message}`);
    this.warned = true;
  }
}

const subscribedKey = (key: string): string => `${key}:wanted`;

/** Delivers each event once and in order, regardless of its source. */
function deliver(listening: Subscriber, event: ReceivedEvent): void {
  if (listening.lastEventId !== undefined && !isAfter(event.id, listening.lastEventId)) return;
  listening.lastEventId = event.id;
  listening.listener(event);
}
