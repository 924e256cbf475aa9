import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { nanoid } from 'nanoid';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { withTimeout } from '../../lib/async/with-timeout.js';
import { Revocations } from '../access/revocations.js';
import { boundedRedis, REDIS_URL } from '../jobs/redis.js';
import { hasWildcard } from '../../lib/mqtt/topic-filter.js';
import { decodeFrame, encodeFrame } from './topic-frame.js';
import { TopicMessage, type TopicReader } from './topic-message.js';
import { TopicRoutes } from './topic-routes.js';

/** Application ID of messages between processes. */
export const PLATFORM = 'platform';

const TICK_MS = 1_000;
const CONNECT_MS = 2_500;
/** Maximum wait for Redis until a subscription counts as made. */
const SUBSCRIBE_MS = 2_500;
/** As for streams: nothing waits for a message. */
const TIMEOUTS = { commandTimeout: 2_000, socketTimeout: 5_000 };
/**
 * Pings without any response after which the receiving connection is replaced. They are counted, because a timeout would
 * close the connection of a process that hung, with the messages that it has not read.
 */
const MAX_UNANSWERED = 5;
/** Maximum number of channels in a command. */
const MAX_CHANNELS = 500;
/** Maximum messages and bytes that wait for Redis. Further ones only reach readers in this process. */
const MAX_QUEUED = 20_000;
const MAX_QUEUED_BYTES = 64 * 1024 * 1024;
/** Messages in a command. */
const MAX_BATCH = 500;

/** Publishes pairs of a channel and a message. */
const PUBLISH = `for i = 1, #ARGV, 2 do redis.call('PUBLISH', ARGV[i], ARGV[i + 1]) end`;

/** Options of a message. */
export interface PublishOptions {
  /** Topic by which readers are found, instead of the one of the message. */
  key?: string;
  /** Whether only readers of exactly this topic receive it. Filters with wildcards then do not match. */
  isExact?: boolean;
  /** Whether the caller knows of another process, which may have started so recently that this one has not heard of it. */
  hasPeer?: boolean;
}

/**
 * Passes messages of topics to readers in all processes. Readers of this process receive a message at once. For others,
 * each topic with readers is a channel in Redis, and each application with readers of wildcards has another one, so that
 * a process receives nothing that nobody there reads. Messages of one publisher arrive in order.
 *
 * A message is never stored: readers that are disconnected miss it. If no other process of the platform exists, nothing
 * is sent to Redis.
 */
@Injectable()
export class TopicBus implements OnModuleInit, OnApplicationShutdown {
  /** ID of this process. */
  readonly processId = nanoid();
  private readonly logger = new Logger(TopicBus.name);
  private readonly prefix: string;
  private readonly receiver: Redis;
  private readonly sender: Redis;
  private readonly routes = new TopicRoutes();
  /** Channels for which Redis was asked, and those whose readers have changed since. */
  private readonly subscribed = new Set<string>();
  private readonly changed = new Map<string, () => boolean>();
  /** Channels that Redis has not confirmed. */
  private readonly unconfirmed = new Map<string, Promise<void>>();
  private changing?: Promise<void>;
  private queue: Buffer[] = [];
  private queuedBytes = 0;
  private sending?: Promise<void>;
  /** Last message that each process has sent to readers of exact topics, in the last second. */
  private readonly latest = new Map<string, { number: number; message: TopicMessage }>();
  private timer?: NodeJS.Timeout;
  private unanswered = 0;
  private isStopped = false;
  private isOutageLogged = false;

  constructor(
    @Inject(REDIS_URL) redisUrl: string,
    { driver }: DataSource,
    private readonly revocations: Revocations,
  ) {
    // Platforms may share a Redis, and all its databases share the channels.
    this.prefix = `fieldwright:${driver.database}:topics:`;
    this.receiver = boundedRedis(redisUrl, { ...TIMEOUTS, socketTimeout: undefined });
    this.sender = boundedRedis(redisUrl, TIMEOUTS);
    for (const client of [this.receiver, this.sender])
      client.on('error', (error: Error) => this.logOutage(error));
  }

  async onModuleInit(): Promise<void> {
    this.receiver.on('ready', () => this.resubscribe());
    this.receiver.on('messageBuffer', (channel: Buffer, bytes: Buffer) => this.receive(channel, bytes));
    await withTimeout(CONNECT_MS, Promise.allSettled([this.receiver.connect(), this.sender.connect()]));
    this.timer = setInterval(() => this.tick(), TICK_MS).unref();
  }

  /** Closes the connections after everything that may still publish has stopped. */
  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.sending;
    this.isStopped = true;
    this.receiver.disconnect();
    this.sender.disconnect();
  }

  /** Returns whether a topic may have readers, so that messages that nobody reads are not made. */
  mayHaveReaders(applicationId: string, topic: string): boolean {
    return this.revocations.hasPeers || this.routes.hasReaders(applicationId, topic);
  }

  /** Passes a message to all readers. Never waits and never fails. */
  publish(
    applicationId: string,
    topic: string,
    payload: Buffer,
    { key = topic, isExact = false, hasPeer = this.revocations.hasPeers }: PublishOptions = {},
  ): void {
    const message = new TopicMessage(applicationId, topic, payload, Date.now(), key);
    this.routes.deliverExact(message);
    if (!isExact) this.routes.deliverByWildcards(message);
    if (this.isStopped || !hasPeer) return;
    const frame = encodeFrame(this.processId, message);
    this.enqueue(this.exactChannel(applicationId, key), frame);
    if (!isExact) this.enqueue(this.wildChannel(applicationId), frame);
  }

  /**
   * Passes messages whose topic matches the filter to the reader. Resolves when messages of all processes are received,
   * or after two and a half seconds. A reader receives a message once for each of its filters that match, as repetitions
   * with the same number.
   */
  async subscribe(applicationId: string, filter: string, reader: TopicReader): Promise<void> {
    this.routes.add(applicationId, filter, reader);
    const confirmed = this.synchronize(applicationId, filter);
    if (confirmed && this.revocations.hasPeers) await withTimeout(SUBSCRIBE_MS, confirmed);
  }

  unsubscribe(applicationId: string, filter: string, reader: TopicReader): void {
    this.routes.delete(applicationId, filter, reader);
    void this.synchronize(applicationId, filter);
  }

  /** Subscribes to the channel of a filter if it has readers, or unsubscribes. Returns what remains to be awaited. */
  private synchronize(applicationId: string, filter: string): Promise<void> | undefined {
    const isWild = hasWildcard(filter);
    const channel = isWild ? this.wildChannel(applicationId) : this.exactChannel(applicationId, filter);
    const isWanted = () =>
      isWild ? this.routes.hasWildcards(applicationId) : this.routes.hasReaders(applicationId, filter);
    if (isWanted() !== this.subscribed.has(channel)) {
      this.changed.set(channel, isWanted);
      return (this.changing ??= this.applyChanges());
    }
    this.changed.delete(channel);
    return this.unconfirmed.get(channel);
  }

  /** Tells Redis the changes of one turn of the event loop together. */
  private async applyChanges(): Promise<void> {
    await nextTurn();
    this.changing = undefined;
    const joins: string[] = [];
    const leaves: string[] = [];
    for (const [channel, isWanted] of this.changed) {
      if (isWanted() === this.subscribed.has(channel)) continue;
      if (isWanted()) {
        joins.push(channel);
        this.subscribed.add(channel);
      } else {
        leaves.push(channel);
        this.subscribed.delete(channel);
      }
    }
    this.changed.clear();
    for (const channels of portions(leaves))
      this.receiver.unsubscribe(...channels).catch((error: Error) => this.logOutage(error));
    await Promise.all([...portions(joins)].map((channels) => this.join(channels)));
  }

  /** After an interruption, all channels are subscribed to again, so failures are not retried here. */
  private async join(channels: readonly string[]): Promise<void> {
    const joined = this.receiver.subscribe(...channels).then(
      () => undefined,
      (error: Error) => this.logOutage(error),
    );
    for (const channel of channels) this.unconfirmed.set(channel, joined);
    await joined;
    for (const channel of channels)
      if (this.unconfirmed.get(channel) === joined) this.unconfirmed.delete(channel);
  }

  private resubscribe(): void {
    this.unanswered = 0;
    this.isOutageLogged = false;
    for (const channels of portions([...this.subscribed])) void this.join(channels);
  }

  private enqueue(channel: string, frame: Buffer): void {
    const { length } = this.queue;
    if (length >= MAX_QUEUED || this.queuedBytes + frame.length > MAX_QUEUED_BYTES) return;
    this.queue.push(Buffer.from(channel), frame);
    this.queuedBytes += frame.length;
    this.sending ??= this.send();
  }

  /** Sends the messages of one turn of the event loop together. */
  private async send(): Promise<void> {
    await nextTurn();
    while (this.queue.length > 0) {
      const { queue } = this;
      this.queue = [];
      this.queuedBytes = 0;
      const sent = [...portions(queue, 2 * MAX_BATCH)].map((pairs) => this.sender.eval(PUBLISH, 0, ...pairs));
      for (const result of await Promise.allSettled(sent))
        if (result.status === 'rejected') this.logOutage(result.reason as Error);
    }
    this.sending = undefined;
  }

  private receive(channelBytes: Buffer, bytes: Buffer): void {
    const frame = decodeFrame(bytes);
    if (!frame || frame.sender === this.processId) return;
    const channel = channelBytes.toString('utf8', this.prefix.length);
    const end = channel.indexOf('/');
    const { sender, number, topic, payload, time } = frame;
    if (end >= 0) {
      const message = new TopicMessage(channel.slice(0, end), topic, payload, time, channel.slice(end + 1));
      this.latest.set(sender, { number, message });
      return this.routes.deliverExact(message);
    }
    // Sent directly after the message to readers of the exact topic, if that was also received.
    const latest = this.latest.get(sender);
    const known = latest?.number === number ? latest.message : undefined;
    this.routes.deliverByWildcards(known ?? new TopicMessage(channel, topic, payload, time));
  }

  /** Pings the idle connection, because a lost connection is otherwise not detected. */
  private tick(): void {
    this.latest.clear();
    if (this.receiver.status !== 'ready') return;
    if (this.unanswered++ >= MAX_UNANSWERED) return this.receiver.disconnect(true);
    this.receiver.ping().then(
      () => (this.unanswered = 0),
      () => undefined,
    );
  }

  private exactChannel(applicationId: string, topic: string): string {
    return `${this.prefix}${applicationId}/${topic}`;
  }

  private wildChannel(applicationId: string): string {
    return this.prefix + applicationId;
  }

  /** Logs one line for an outage rather than one for each message. */
  private logOutage(error: Error): void {
    if (!this.isOutageLogged && !this.isStopped)
      this.logger.warn(
        `Redis does not respond, so messages only reach clients of this process: ${error.message}`,
      );
    this.isOutageLogged = true;
  }
}

/** Splits a list into lists of a maximum length. */
function* portions<T>(list: readonly T[], length = MAX_CHANNELS): Generator<T[]> {
  for (let at = 0; at < list.length; at += length) yield list.slice(at, at + length);
}
