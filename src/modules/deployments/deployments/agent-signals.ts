import { Injectable } from '@nestjs/common';
import { PLATFORM, TopicBus } from '../../../platform/topics/topic-bus.js';

/**
 * Signals to the brokers that there may be something new for the agents of devices, such as a change of their
 * deployments. A signal can be lost, so brokers also compare from time to time.
 */
@Injectable()
export class AgentSignals {
  constructor(private readonly bus: TopicBus) {}

  /** Never waits and never fails. Call it when the change is stored. */
  send(applicationId: string, deviceIds: readonly string[]): void {
    const topic = topicOf(applicationId);
    if (!this.bus.mayHaveReaders(PLATFORM, topic)) return;
    this.bus.publish(PLATFORM, topic, Buffer.from(JSON.stringify(deviceIds)), { isExact: true });
  }

  /** Passes signals for devices of an application until the returned function is called. */
  listen(applicationId: string, receive: (deviceIds: readonly string[]) => void): () => void {
    const reader = {
      receive: ({ payload }: { payload: Buffer }) => receive(JSON.parse(payload.toString()) as string[]),
    };
    void this.bus.subscribe(PLATFORM, topicOf(applicationId), reader);
    return () => this.bus.unsubscribe(PLATFORM, topicOf(applicationId), reader);
  }
}

const topicOf = (applicationId: string): string => `agents/${applicationId}`;
