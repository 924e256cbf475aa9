import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { ValidationError } from '../../lib/errors/errors.js';
import type { ApplicationAccess } from '../../platform/access/request.js';
import type { Author } from '../../platform/audit/author.js';
import { Success } from '../../platform/fields/shared.schemas.js';
import { encodeUnkeptEvent } from '../../platform/streams/held-events.js';
import { OpenStreams } from '../../platform/streams/open-streams.js';
import { PlatformTopics } from '../../platform/topics/platform-topics.js';
import { isTopicFilter } from '../../lib/mqtt/topic-filter.js';
import { TopicMessages } from '../../workflows/messages/topic-messages.js';
import { DevicesRepository } from '../../modules/devices/devices/devices.repository.js';
import type { MqttPublishBody } from './application-message.resource.js';
import type { MessageStreamQuery } from './application-messages.query.js';

/** Names of the topics of a device that streams can read. */
const STREAMED: ReadonlySet<string> = new Set(['command', 'state']);

/** Messages on the topics of applications, for callers of the API. */
@Injectable()
export class ApplicationMessagesService {
  private readonly topics: PlatformTopics;

  constructor(
    private readonly messages: TopicMessages,
    private readonly streams: OpenStreams,
    private readonly devices: DevicesRepository,
    { TOPIC_PREFIX }: Config,
  ) {
    this.topics = new PlatformTopics(TOPIC_PREFIX);
  }

  async publish(
    { id }: ApplicationAccess,
    { topic, message }: MqttPublishBody,
    by: Author,
  ): Promise<Success> {
    await this.messages.send(id, topic, message, { type: by.signer, id: by.id }, 'payload.topic');
    return new Success();
  }

  /** Responds with a stream of the messages that match a filter. */
  async stream(
    { id }: ApplicationAccess,
    { topic, keepAliveInterval }: MessageStreamQuery,
    context: ExecutionContext,
  ): Promise<void> {
    const deviceId = this.deviceOf(topic);
    await this.streams.open(context, {
      channel: async (listener) => {
        const close = await this.messages.subscribe(id, [topic], (message) =>
          listener.receive(encodeUnkeptEvent('mqttMessage', JSON.stringify(message))),
        );
        return { close };
      },
      keepAliveInterval,
      find: async (application) => {
        if (deviceId !== undefined) await this.devices.findOneFor(application, deviceId);
      },
    });
  }

  /** Returns the device of a topic of the platform, or `undefined` for another topic. Throws if it cannot be streamed. */
  private deviceOf(topic: string): string | undefined {
    if (!isTopicFilter(topic))
      throw new ValidationError('topic must be a topic filter: + must be a whole level and # the last one');
    if (!this.topics.isReserved(topic)) return undefined;
    const named = this.topics.parse(topic);
    if (named && STREAMED.has(named.name)) return named.deviceId;
    throw new ValidationError(
      'topic must not begin with $ or the prefix of the platform, except for the state and command topics of a device',
    );
  }
}
