import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { RunsIn } from '../../platform/processes/roles.js';
import { PlatformTopics } from '../../platform/topics/platform-topics.js';
import { TopicBus } from '../../platform/topics/topic-bus.js';
import type { TopicMessage } from '../../platform/topics/topic-message.js';
import type { DeviceGrant } from '../access/device-grant.js';
import { publishPurpose } from '../access/topic-rights.js';
import { ReceivedReports } from './received-reports.js';

/** Result of a message: `forbidden` if the device may not publish on the topic. */
export type MessageOutcome = 'forbidden' | undefined;

/** Processes the messages that devices publish. */
@Injectable()
@RunsIn('broker')
export class DeviceMessages {
  private readonly logger = new Logger(DeviceMessages.name);
  private readonly topics: PlatformTopics;

  constructor(
    private readonly reports: ReceivedReports,
    private readonly bus: TopicBus,
    { TOPIC_PREFIX }: Config,
  ) {
    this.topics = new PlatformTopics(TOPIC_PREFIX);
  }

  /** Returns whether a device may publish on a topic, as far as that is known before a message. */
  allows(grant: DeviceGrant, topic: string): boolean {
    return publishPurpose(this.topics, grant, topic) !== undefined;
  }

  /**
   * Processes a message. Returns a promise if something must be stored before it is acknowledged, which rejects if the
   * message may have been lost.
   */
  receive(grant: DeviceGrant, topic: string, payload: Buffer): MessageOutcome | Promise<MessageOutcome> {
    const purpose = publishPurpose(this.topics, grant, topic);
    switch (purpose?.kind) {
      case undefined:
        return 'forbidden';
      case 'custom':
        return this.bus.publish(grant.applicationId, topic, payload) as undefined;
      case 'state':
        return this.report(grant, purpose.deviceId, payload);
      case 'agent':
        return undefined;
    }
  }

  /** Publishes the last will of a device, whose topic was allowed when it connected. */
  will(grant: DeviceGrant, { topic, payload }: { topic: string; payload: Buffer }): void {
    void Promise.resolve(this.receive(grant, topic, payload)).catch((error: Error) =>
      this.logger.warn(`Could not publish a last will: ${error.message}`),
    );
  }

  /** Notes that a message was sent to a device. */
  sent(_grant: DeviceGrant, _message: TopicMessage): void {
    // Counted with custom topics.
  }

  private async report(grant: DeviceGrant, deviceId: string, payload: Buffer): Promise<MessageOutcome> {
    const outcome = await this.reports.receive(grant, deviceId, payload);
    return outcome === 'forbidden' ? outcome : undefined;
  }
}
