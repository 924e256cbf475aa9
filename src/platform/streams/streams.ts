import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { ChainableCommander, Redis } from 'ioredis';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { Revocations } from '../access/revocations.js';
import { boundedRedis, REDIS_URL } from '../jobs/redis.js';
import { withTimeout } from '../../lib/async/with-timeout.js';
import { isAfter, NO_EVENT, type EventId } from './event-id.js';
import { encodeEvent, type EncodedEvent } from './held-events.js';

/** An event for the current subscribers; `data` is serialized as JSON. */
export interface StreamEvent {
  name: string;
  data: unknown;
}

/** Callbacks of a subscriber. */
export interface StreamListener {
  /** Receives an event. IDs increase within a channel. */
  receive(event: EncodedEvent): void;
  /** Called if events may have been lost since the subscription, by any process. */
  missed(): void;
}

/** Handle with which a subscriber unsubscribes. */
export interface Subscription {
  close(): void;
}

interface Subscriber {
  listener: StreamListener;
  /** Last received event, or the event after which to start; `undefined` until Redis has reported the newest one. */
  lastEventId?: EventId;
  /** Events that arrive while older events are being read. */
  held: EncodedEvent[];
  isCatchingUp: boolean;
}

/** The subscribers of a channel in this process. */
interface Channel {
  subscribers: Set<Subscriber>;
  /** Whether Redis has registered that the channel has subscribers. */
  isRegistered: boolean;
  /** Newest events, while any reader holds them, so that readers at different events share their bytes. */
  recent: Map<EventId, WeakRef<EncodedEvent>>;
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
/** Maximum number of channels whose losses are reported one by one; beyond it, the loss is reported for all channels. */
const MAX_LOSSES = 1_000;
/** Message on a channel that reports a loss. It is published and not stored. */
const LOSS = '';
/** Maximum wait for Redis when a subscriber is added. */
const PUBLISH_TIMEOUT_MS = 2_500;
/**
 * Longer than those of other connections, because nothing waits for an event, and a process that was busy for half a second
 * would end its streams although nothing was lost.
 */
const TIMEOUTS = { commandTimeout: 2_000, socketTimeout: 5_000 };

/** Stores and publishes an event atomically, so that both have the same order. */
const PUBLISH = `local id = redis.call('XADD', KEYS[1], 'MAXLEN', ARGV[1], '*', 'name', ARGV[2], 'data', ARGV[3])
redis.call('EXPIRE', KEYS[1], ${RETENTION_SECONDS})
redis.call('PUBLISH', KEYS[1], id .. ' ' .. ARGV[2] .. ' ' .. ARGV[3])`;

/**
 * Publishes events to subscribers in all processes through Redis. For channels without a subscriber in the last minute,
 * publishing costs a look-up that concurrent events share. Publishing never blocks or fails. Events that Redis does not
 * accept are lost.
 *
 * Subscribers are notified of every possible loss, as soon as Redis is available. A publisher reports the channels of
 * lost events. A process notifies its own subscribers after an interruption of their subscription. When another process
 * died, whose last events may be lost, it notifies all of them.
 *
 * A process has two connections, regardless of the number of subscribers: one receives, the other publishes and reads.
 */
@Injectable()
export class Streams implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(Streams.name);
  private readonly prefix: string;
  private readonly receiver: Redis;
  private readonly sender: Redis;
  private readonly channels = new Map<string, Channel>();
  /** Key on which losses in all channels are reported. */
  private readonly allChannels: string;
  /** Keys to subscribe to, initially or again. Their subscribers receive nothing until then. */
  private readonly unsubscribed = new Set<string>();
  /** Keys of channels with losses that are to be reported. */
  private losses = new Set<string>();
  private queue: { channel: string; event: StreamEvent }[] = [];
  private flushing?: Promise<void>;
  private timer?: NodeJS.Timeout;
  private ticks = 0;
  private stopped = false;
  private warned = false;

  constructor(
    @Inject(REDIS_URL) redisUrl: string,
    { driver }: DataSource,
    private readonly revocations: Revocations,
  ) {
    // Platforms may share a Redis, and all its databases share the channels.
    this.prefix = `fieldwright:${driver.database}:streams:`;
    this.allChannels = `${this.prefix}*`;
    this.receiver = boundedRedis(redisUrl, TIMEOUTS);
    this.sender = boundedRedis(redisUrl, TIMEOUTS);
    for (const client of [this.receiver, this.sender])
      client.on('error', (error: Error) => this.logOutage(error));
  }

  async onModuleInit(): Promise<void> {
    this.receiver.on('ready', () => {
      for (const key of [this.allChannels, ...this.channels.keys()]) this.unsubscribed.add(key);
      void this.resume();
    });
    this.sender.on('ready', () => void this.resume());
    this.receiver.on('message', (key: string, message: string) => this.receive(key, message));
    this.revocations.onPeerLost(() => this.notifyMissed(this.allChannels));
    await withTimeout(
      PUBLISH_TIMEOUT_MS,
      Promise.allSettled([this.receiver.connect(), this.sender.connect()]),
    );
    this.timer = setInterval(() => this.tick(), TICK_MS).unref();
  }

  /** Closes the connections after everything that may still publish has stopped. */
  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flushing;
    await this.reportLosses();
    this.stopped = true;
    this.receiver.disconnect();
    this.sender.disconnect();
  }

  /** Publishes an event to the subscribers of a channel. Call this after the transaction is committed. */
  publish(channel: string, event: StreamEvent): void {
    if (this.stopped) return;
    if (this.queue.length >= MAX_QUEUED) return this.lose([this.prefix + channel]);
    this.queue.push({ channel, event });
    this.flushing ??= this.flush();
  }

  /**
   * Passes each new event of the channel to the listener or, with the ID of an event received in any process, all
   * retained events after it. Resolves when Redis has registered the subscriber, or after two and a half seconds.
   */
  async subscribe(name: string, listener: StreamListener, after?: EventId): Promise<Subscription> {
    const subscriber: Subscriber = { listener, lastEventId: after, held: [], isCatchingUp: true };
    const key = this.prefix + name;
    const channel = this.channels.get(key) ?? {
      subscribers: new Set(),
      isRegistered: false,
      recent: new Map(),
    };
    this.channels.set(key, channel);
    channel.subscribers.add(subscriber);
    if (!(await withTimeout(PUBLISH_TIMEOUT_MS, this.join(key, channel, subscriber)))) this.interrupt(key);
    return { close: () => this.leave(key, channel, subscriber) };
  }

  /** Sends all events of one turn of the event loop together. */
  private async flush(): Promise<void> {
    await nextTurn();
    while (this.queue.length > 0) {
      const events = this.queue;
      this.queue = [];
      await this.send(events).catch((error: Error) => {
        this.logOutage(error);
        this.lose(events.map(({ channel }) => this.prefix + channel));
      });
    }
    this.flushing = undefined;
  }

  private async send(events: readonly { channel: string; event: StreamEvent }[]): Promise<void> {
    const keys = [...new Set(events.map(({ channel }) => this.prefix + channel))];
    const wanted = await this.sender.mget(keys.map(subscribedKey));
    const heard = new Set(keys.filter((_, i) => wanted[i] !== null));
    if (heard.size === 0) return;
    const published: string[] = [];
    const publishing = this.sender.pipeline();
    for (const { channel, event } of events) {
      const key = this.prefix + channel;
      if (!heard.has(key)) continue;
      published.push(key);
      const data = JSON.stringify(event.data);
      const kept = Math.max(
        1,
        Math.min(MAX_RETAINED, Math.floor(MAX_RETAINED_BYTES / Buffer.byteLength(data))),
      );
      publishing.eval(PUBLISH, 1, key, kept, event.name, data);
    }
    await this.execute(publishing, published);
  }

  /** Runs a command for each key. If some fail, their keys have losses. */
  private async execute(commands: ChainableCommander, keys: readonly string[]): Promise<void> {
    const results = (await commands.exec()) ?? [];
    this.lose(keys.filter((_, i) => results[i]?.[0] !== null));
  }

  private lose(keys: readonly string[]): void {
    for (const key of keys) this.losses.add(key);
    if (this.losses.size > MAX_LOSSES) this.losses = new Set([this.allChannels]);
  }

  private async reportLosses(): Promise<void> {
    const keys = [...this.losses];
    this.losses = new Set();
    const reporting = this.sender.pipeline();
    for (const key of keys) reporting.publish(key, LOSS);
    await this.execute(reporting, keys).catch(() => this.lose(keys));
  }

  private receive(key: string, message: string): void {
    if (message === LOSS) return this.notifyMissed(key);
    const channel = this.channels.get(key);
    if (!channel || this.unsubscribed.has(key)) return;
    const afterId = message.indexOf(' ');
    const afterName = message.indexOf(' ', afterId + 1);
    const name = message.slice(afterId + 1, afterName);
    const event = shared(channel, message.slice(0, afterId), name, message.slice(afterName + 1));
    for (const subscriber of channel.subscribers) {
      if (subscriber.isCatchingUp) subscriber.held.push(event);
      else deliver(subscriber, event);
    }
  }

  private notifyMissed(key: string): void {
    const keys = key === this.allChannels ? [...this.channels.keys()] : [key];
    for (const each of keys)
      for (const { listener } of this.channels.get(each)?.subscribers ?? []) listener.missed();
  }

  /** Subscribes to interrupted channels and notifies their subscribers. Failures are retried. */
  private async resume(): Promise<void> {
    const isReady = [this.receiver, this.sender].every(({ status }) => status === 'ready');
    if (!isReady || this.unsubscribed.size === 0) return;
    const keys = [...this.unsubscribed];
    try {
      await this.receiver.subscribe(...keys);
      await this.register(keys);
    } catch (error) {
      return this.logOutage(error as Error);
    }
    this.warned = false;
    for (const key of keys) {
      this.unsubscribed.delete(key);
      this.notifyMissed(key);
    }
  }

  /** Adds a subscriber to a channel and delivers the events that it missed. Returns whether this succeeded. */
  private async join(key: string, channel: Channel, subscriber: Subscriber): Promise<boolean> {
    try {
      await this.receiver.subscribe(key);
      await this.register([key]);
      await this.catchUp(key, channel, subscriber);
    } catch (error) {
      this.logOutage(error as Error);
      this.interrupt(key);
    }
    subscriber.isCatchingUp = false;
    const held = subscriber.held.splice(0);
    if (this.unsubscribed.has(key)) return false;
    for (const event of held) deliver(subscriber, event);
    return true;
  }

  private async catchUp(key: string, channel: Channel, subscriber: Subscriber): Promise<void> {
    if (subscriber.lastEventId === undefined) {
      const [newest] = await this.sender.xrevrange(key, '+', '-', 'COUNT', 1);
      subscriber.lastEventId = newest?.[0] ?? NO_EVENT;
      return;
    }
    const kept = await this.sender.xrange(key, subscriber.lastEventId, '+');
    for (const [id, [, name = '', , data = '']] of kept) deliver(subscriber, shared(channel, id, name, data));
  }

  /** Registers subscriptions for a minute, so that their events are stored and published. */
  private async register(keys: readonly string[]): Promise<void> {
    const registering = this.sender.pipeline();
    for (const key of keys) registering.set(subscribedKey(key), '', 'EX', RETENTION_SECONDS);
    const failed = (await registering.exec())?.find(([error]) => error);
    if (failed) throw failed[0]!;
    for (const key of keys) {
      const channel = this.channels.get(key);
      if (channel) channel.isRegistered = true;
    }
  }

  /** Extends registrations by a minute. If Redis has forgotten one, events may have been lost. */
  private async extendRegistrations(): Promise<void> {
    const keys = [...this.channels].filter(([, { isRegistered }]) => isRegistered).map(([key]) => key);
    const extending = this.sender.pipeline();
    for (const key of keys) extending.expire(subscribedKey(key), RETENTION_SECONDS);
    const results = (await extending.exec()) ?? [];
    for (const [i, key] of keys.entries()) if (results[i]?.[1] === 0) this.interrupt(key);
  }

  /** Withholds further events of a channel until its subscribers are notified that they may have missed some. */
  private interrupt(key: string): void {
    if (this.channels.has(key)) this.unsubscribed.add(key);
  }

  private leave(key: string, { subscribers }: Channel, subscriber: Subscriber): void {
    subscribers.delete(subscriber);
    if (subscribers.size > 0 || this.channels.get(key)?.subscribers !== subscribers) return;
    this.channels.delete(key);
    this.unsubscribed.delete(key);
    this.receiver.unsubscribe(key).catch(() => undefined);
  }

  /**
   * Pings the idle connection, because a lost connection is otherwise not detected; it is replaced if it does not
   * respond.
   */
  private tick(): void {
    if (this.losses.size > 0) void this.reportLosses();
    void this.resume();
    if (this.channels.size === 0) return;
    this.receiver.ping().catch(() => undefined);
    if (++this.ticks % RENEW_TICKS === 0) this.extendRegistrations().catch(() => undefined);
  }

  /** Logs one line per outage rather than one per event. */
  private logOutage(error: Error): void {
    if (!this.warned && !this.stopped)
      this.logger.warn(`Redis does not respond, so event streams are paused: ${error.message}`);
    this.warned = true;
  }
}

const subscribedKey = (key: string): string => `${key}:wanted`;

/** Returns the event, encoded or as its readers already hold it. */
function shared({ recent }: Channel, id: EventId, name: string, data: string): EncodedEvent {
  const known = recent.get(id)?.deref();
  if (known) return known;
  const event = encodeEvent(id, name, data);
  recent.set(id, new WeakRef(event));
  for (const oldest of recent.keys()) {
    if (recent.size <= MAX_RETAINED) break;
    recent.delete(oldest);
  }
  return event;
}

/** Delivers each event once and in order, regardless of its source. */
function deliver(subscriber: Subscriber, event: EncodedEvent): void {
  if (subscriber.lastEventId !== undefined && !isAfter(event.id, subscriber.lastEventId)) return;
  subscriber.lastEventId = event.id;
  subscriber.listener.receive(event);
}
