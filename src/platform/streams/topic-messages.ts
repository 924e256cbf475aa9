import { Injectable } from '@nestjs/common';
import { dataOf } from './held-events.js';
import { Streams, type Subscription } from './streams.js';

/** A message that was published on an MQTT topic of an application. */
export interface TopicMessage {
  readonly topic: string;
  /** Payload as text. */
  readonly message: string;
  /** Time of the publication, ISO 8601. */
  readonly time: string;
}

/** Callbacks of a subscriber. */
export interface TopicListener {
  receive(message: TopicMessage): void;
  /** Called if messages may have been lost. */
  missed(): void;
}

/**
 * Messages on the MQTT topics of applications, between the processes of the platform. The broker publishes them; a topic
 * without subscribers costs a look-up. Topics are exact, without wildcards, and belong to one application.
 */
@Injectable()
export class TopicMessages {
  constructor(private readonly streams: Streams) {}

  publish(applicationId: string, message: TopicMessage): void {
    this.streams.publish(channelOf(applicationId, message.topic), { name: 'message', data: message });
  }

  /** Passes each new message on the topics to the listener, until the subscription is closed. */
  async subscribe(
    applicationId: string,
    topics: readonly string[],
    listener: TopicListener,
  ): Promise<Subscription> {
    const subscriptions = await Promise.all(
      topics.map((topic) =>
        this.streams.subscribe(channelOf(applicationId, topic), {
          receive: (event) => listener.receive(dataOf(event) as TopicMessage),
          missed: () => listener.missed(),
        }),
      ),
    );
    return {
      close: () => {
        for (const subscription of subscriptions) subscription.close();
      },
    };
  }
}

const channelOf = (applicationId: string, topic: string): string => `topic-${applicationId}-${topic}`;
