import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { boundedRedis, REDIS_URL } from '../jobs/redis.js';
import { within } from '../../lib/async/patience.js';
import { isAfter, NO_EVENT, type EventId } from './event-id.js';

/** Something that happened, for whoever listens at the moment; `data` becomes JSON. */
export interface StreamEvent {
  name: string;
  data: unknown;
}

/** An event as it came over Redis: `data` is JSON. Ids of one channel grow. */
export interface ReceivedEvent {
  id: EventId;
  name: string;
  data: string;
}

/** What a listener holds on to until it has heard enough. */
export interface Subscription {
  close(): void;
}

interface Listening {
  listener: (event: ReceivedEvent) => void;
  /** The last event that was heard, or after which to listen; unknown until Redis has said which is the newest. */
  last?: EventId;
  /** What comes while older events are read, as often as that is under way. */
  held: ReceivedEvent[];
  catchingUp: number;
}

/** How long events are kept for listeners who come back, and how many of a channel. */
const KEPT_SECONDS = 60;
const MOST_KEPT = 100;
/** Of large events fewer are kept: so many bytes of a channel, and the newest however large. */
const MOST_KEPT_BYTES = 256 * 1024;
/** Somebody is said to listen for so long, and says so again much sooner. */
const RENEW_TICKS = 15;
const TICK_MS = 1_000;
/** What waits for Redis; beyond that events are lost, as they are while it is away. */
const MOST_QUEUED = 2_000;
/** A new listener is there after so long, whether or not Redis knows of it yet. */
const PATIENCE_MS = 1_000;

/** Keeps an event and tells it, in one step, so that what is heard has the order of what is kept. */
const TELL = `local id = redis.call('XADD', KEYS[1], 'MAXLEN', ARGV[1], '*', 'name', ARGV[2], 'data', ARGV[3])
redis.call('EXPIRE', KEYS[1], ${KEPT_SECONDS})
redis.call('PUBLISH', KEYS[1], id .. ' ' .. ARGV[2] .. ' ' .. ARGV[3])`;

/**
 * Tells events to whoever listens, in any process, over Redis. A channel that nobody listens to, nor did in the last minute,
 * costs a look-up by key that all events of a moment share. Publishing waits for nothing and never fails: while Redis is away
 * events are lost, and listeners go on when it is back, with what they missed of the last minute.
 *
 * A process has two connections, however many listen in it: one hears, the other publishes and reads.
 */
@Injectable()
export class Streams implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(Streams.name);
  private readonly prefix: string;
  private readonly receiver: Redis;
  private readonly sender: Redis;
  private readonly channels = new Map<string, Set<Listening>>();
  private queue: { channel: string; event: StreamEvent }[] = [];
  private flushing?: Promise<void>;
  private timer?: NodeJS.Timeout;
  private ticks = 0;
  private stopped = false;
  private warned = false;

  constructor(@Inject(REDIS_URL) redisUrl: string, { driver }: DataSource) {
    // A Redis is shared by platforms, and channels by all of its databases.
    this.prefix = `fieldwright:${driver.database}:streams:`;
    this.receiver = boundedRedis(redisUrl);
    this.sender = boundedRedis(redisUrl);
    for (const client of [this.receiver, this.sender])
      client.on('error', (error: Error) => this.noteOutage(error));
  }

  async onModuleInit(): Promise<void> {
    this.receiver.on('ready', () => void this.resume());
    this.receiver.on('message', (key: string, message: string) => this.receive(key, message));
    await within(PATIENCE_MS, Promise.allSettled([this.receiver.connect(), this.sender.connect()]));
    this.timer = setInterval(() => this.tick(), TICK_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.flushing;
    this.stopped = true;
    this.receiver.disconnect();
    this.sender.disconnect();
  }

  /** Tells whoever listens to the channel. To be called when what happened is in the database. */
  publish(channel: string, event: StreamEvent): void {
    if (this.stopped || this.queue.length >= MOST_QUEUED) return;
    this.queue.push({ channel, event });
    this.flushing ??= this.flush();
  }

  /**
   * Calls `listener` with each event of the channel from now on; or, with the id of one that was heard before, in any process,
   * with those that came after it. Done when Redis knows of the listener, or has not answered for a second.
   */
  async subscribe(
    channel: string,
    listener: (event: ReceivedEvent) => void,
    after?: EventId,
  ): Promise<Subscription> {
    const listening: Listening = { listener, last: after, held: [], catchingUp: 0 };
    const key = this.prefix + channel;
    const others = this.channels.get(key);
    if (others) others.add(listening);
    else this.channels.set(key, new Set([listening]));
    await within(PATIENCE_MS, this.join([key], [[key, listening]]));
    return { close: () => this.leave(key, listening) };
  }

  /** What is published in one turn of the event loop goes out together. */
  private async flush(): Promise<void> {
    await nextTurn();
    while (this.queue.length > 0) {
      const events = this.queue;
      this.queue = [];
      await this.send(events).catch((error: Error) => this.noteOutage(error));
    }
    this.flushing = undefined;
  }

  private async send(events: readonly { channel: string; event: StreamEvent }[]): Promise<void> {
    const keys = [...new Set(events.map(({ channel }) => this.prefix + channel))];
    const wanted = await this.sender.mget(keys.map(wantedKey));
    const heard = new Set(keys.filter((_, i) => wanted[i] !== null));
    if (heard.size === 0) return;
    const telling = this.sender.pipeline();
    for (const { channel, event } of events) {
      const key = this.prefix + channel;
      if (!heard.has(key)) continue;
      const data = JSON.stringify(event.data);
      const kept = Math.max(1, Math.min(MOST_KEPT, Math.floor(MOST_KEPT_BYTES / Buffer.byteLength(data))));
      telling.eval(TELL, 1, key, kept, event.name, data);
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
      else hear(listening, event);
    }
  }

  /** Everything that is listened to here, once Redis is reached. */
  private async resume(): Promise<void> {
    this.warned = false;
    const all = [...this.channels].flatMap(([key, set]) => [...set].map((one) => [key, one] as const));
    await this.join([...this.channels.keys()], all);
  }

  /** Has Redis tell of channels, and gives listeners what they missed. What fails is done when Redis is reached again. */
  private async join(
    keys: readonly string[],
    listening: readonly (readonly [string, Listening])[],
  ): Promise<void> {
    if (keys.length === 0) return;
    for (const [, one] of listening) one.catchingUp++;
    try {
      await this.receiver.subscribe(...keys);
      await this.renew(keys);
      await Promise.all(listening.map(([key, one]) => this.catchUp(key, one)));
    } catch (error) {
      this.noteOutage(error as Error);
    }
    for (const [, one] of listening) {
      if (--one.catchingUp > 0) continue;
      for (const event of one.held.splice(0)) hear(one, event);
    }
  }

  private async catchUp(key: string, listening: Listening): Promise<void> {
    if (listening.last === undefined) {
      const [newest] = await this.sender.xrevrange(key, '+', '-', 'COUNT', 1);
      listening.last = newest?.[0] ?? NO_EVENT;
      return;
    }
    const kept = await this.sender.xrange(key, listening.last, '+');
    for (const [id, [, name = '', , data = '']] of kept) hear(listening, { id, name, data });
  }

  /** Says for the next minute that somebody listens, so that events are kept and told. */
  private async renew(keys: Iterable<string>): Promise<void> {
    const saying = this.sender.pipeline();
    for (const key of keys) saying.set(wantedKey(key), '', 'EX', KEPT_SECONDS);
    const failed = (await saying.exec())?.find(([error]) => error);
    if (failed) throw failed[0]!;
  }

  private leave(key: string, listening: Listening): void {
    const others = this.channels.get(key);
    others?.delete(listening);
    if (others?.size !== 0) return;
    this.channels.delete(key);
    this.receiver.unsubscribe(key).catch(() => undefined);
  }

  /** A connection on which nothing comes says nothing either when it is gone: it is asked, and replaced where it is silent. */
  private tick(): void {
    if (this.channels.size === 0) return;
    this.receiver.ping().catch(() => undefined);
    if (++this.ticks % RENEW_TICKS === 0) this.renew(this.channels.keys()).catch(() => undefined);
  }

  /** One line an outage, not one for each event. */
  private noteOutage(error: Error): void {
    if (!this.warned && !this.stopped)
      this.logger.warn(`Redis does not answer, so streams of events stand still: ${error.message}`);
    this.warned = true;
  }
}

const wantedKey = (key: string): string => `${key}:wanted`;

/** Each event once, in order, whichever way it came. */
function hear(listening: Listening, event: ReceivedEvent): void {
  if (listening.last !== undefined && !isAfter(event.id, listening.last)) return;
  listening.last = event.id;
  listening.listener(event);
}
