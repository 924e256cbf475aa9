import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { ApiError, ValidationError } from '../../lib/errors/errors.js';
import { afterCommit } from '../../platform/database/atomic.js';
import { PayloadCounter } from '../../platform/payloads/payload-counter.js';
import type { RateLimit } from '../../platform/throttle/rate-limit.js';
import { RateLimits } from '../../platform/throttle/rate-limits.js';
import { PlatformTopics } from '../../platform/topics/platform-topics.js';
import { TopicBus } from '../../platform/topics/topic-bus.js';
import { isTopic } from '../../lib/mqtt/topic-filter.js';
import type { TopicMessage } from '../../platform/topics/topic-message.js';
import { MQTT_MESSAGE } from '../runs/causes.js';
import { Firings } from '../runs/fire.js';
import { textOf } from '../runs/run-trigger.js';
import { MessageTriggers } from './message-triggers.js';

/** Who publishes a message: a device, or a caller of the API, or a workflow. */
export interface MessageSender {
  readonly type: 'apiToken' | 'device' | 'flow' | 'user';
  readonly id: string;
}

/** Message of a stream to a browser. */
export interface StreamedMessage {
  readonly topic: string;
  /** The message as text. */
  readonly message: string;
  /** Time at which the message was published, in milliseconds since 1970. */
  readonly time: number;
}

/** Maximum length of a topic that workflows and callers of the API use. */
export const MAX_TOPIC_LENGTH = 230;
const MAX_MESSAGE_BYTES = 256 * 1024;
const RATE_SECONDS = 15;

const CHANNELS = {
  apiToken: 'apiToken.rest',
  device: 'device.mqtt',
  flow: 'flow.flow',
  user: 'user.rest',
} as const;

/** Messages on the custom topics of applications: published to subscribers and workflows, and read by streams. */
@Injectable()
export class TopicMessages {
  private readonly topics: PlatformTopics;
  private readonly rate?: RateLimit;

  constructor(
    private readonly bus: TopicBus,
    private readonly triggers: MessageTriggers,
    private readonly firings: Firings,
    private readonly counter: PayloadCounter,
    { TOPIC_PREFIX, MQTT_MESSAGES_PER_TOPIC: points }: Config,
    limits: RateLimits,
  ) {
    this.topics = new PlatformTopics(TOPIC_PREFIX);
    const refusal = 'Too many messages on the same topic';
    if (points > 0) this.rate = limits.limit('mqtt:topic', { points, duration: RATE_SECONDS }, refusal);
  }

  /**
   * Publishes a message of a workflow or a caller of the API. It is sent to subscribers after the transaction of the caller,
   * if any, which also stores the runs. Throws a `ValidationError` that names the field `at` for a topic that is not a
   * custom one, and `TooManyRequests`.
   */
  async send(
    applicationId: string,
    topic: string,
    message: string,
    sender: MessageSender,
    at: string,
  ): Promise<void> {
    if (topic.length > MAX_TOPIC_LENGTH || !isTopic(topic) || this.topics.isReserved(topic))
      throw new ValidationError(
        `${at} must be a topic of at most ${MAX_TOPIC_LENGTH} characters without wildcards that begins with neither $ nor the prefix of the platform`,
      );
    const payload = Buffer.from(message);
    if (payload.length > MAX_MESSAGE_BYTES)
      throw new ValidationError(`The message must have at most ${MAX_MESSAGE_BYTES / 1024} KiB`);
    await this.rate?.consume(`${applicationId}:${topic}`);
    const filters = await this.triggers.fresh(applicationId, topic);
    await this.fire(applicationId, topic, message, sender, filters);
    const channel = CHANNELS[sender.type];
    const bytes = payload.length;
    await this.counter.store({ applicationId, deviceId: null, type: 'mqttIn', channel, n: 1, bytes });
    await afterCommit(async () => this.bus.publish(applicationId, topic, payload));
  }

  /**
   * Publishes a message of a device, on a custom topic that it may use. Returns a promise if workflows run: it resolves
   * when their runs are stored.
   */
  receive(
    applicationId: string,
    deviceId: string,
    topic: string,
    payload: Buffer,
  ): Promise<undefined> | undefined {
    this.count('mqttIn', applicationId, deviceId, payload.length);
    this.bus.publish(applicationId, topic, payload);
    const filters = this.triggers.matching(applicationId, topic);
    if (Array.isArray(filters) && filters.length === 0) return undefined;
    return this.run(applicationId, deviceId, topic, payload, filters);
  }

  /** Counts a message that was sent to a device on a custom topic. */
  sent(applicationId: string, deviceId: string, bytes: number): void {
    this.count('mqttOut', applicationId, deviceId, bytes);
  }

  /**
   * Passes the messages on some topics of an application, without wildcards, to `receive` until the returned function is
   * called. Resolves when messages of all processes are received. The caller checks the topics.
   */
  async subscribe(
    applicationId: string,
    topics: readonly string[],
    receive: (message: StreamedMessage) => void,
  ): Promise<() => void> {
    const reader = {
      receive: ({ topic, payload, time }: TopicMessage) =>
        receive({ topic, message: payload.toString(), time }),
    };
    await Promise.all(topics.map((topic) => this.bus.subscribe(applicationId, topic, reader)));
    return () => {
      for (const topic of topics) this.bus.unsubscribe(applicationId, topic, reader);
    };
  }

  private count(type: 'mqttIn' | 'mqttOut', applicationId: string, deviceId: string, bytes: number): void {
    this.counter.add({ applicationId, deviceId, type, channel: CHANNELS.device, bytes });
  }

  private async run(
    applicationId: string,
    deviceId: string,
    topic: string,
    payload: Buffer,
    filters: readonly string[] | Promise<readonly string[]>,
  ): Promise<undefined> {
    const sender = { type: 'device', id: deviceId } as const;
    try {
      await this.fire(applicationId, topic, payload.toString(), sender, await filters);
    } catch (error) {
      // A message whose JSON is too large cannot run workflows.
      if (!(error instanceof ApiError && error.status < 500)) throw error;
    }
    return undefined;
  }

  private async fire(
    applicationId: string,
    topic: string,
    message: string,
    { type, id }: MessageSender,
    filters: readonly string[],
  ): Promise<void> {
    if (filters.length === 0) return;
    await this.firings.fire(MQTT_MESSAGE, [
      {
        applicationId,
        deviceId: type === 'device' ? id : null,
        triggers: filters.map((key) => ({ type: 'mqttTopic', key })),
        items: [{ topic, given: textOf({ data: message, sourceId: id, sourceType: type }) }],
      },
    ]);
  }
}
