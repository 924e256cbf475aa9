import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { RunsIn } from '../../platform/processes/roles.js';
import { PlatformTopics } from '../../platform/topics/platform-topics.js';
import type { TopicMessage } from '../../platform/topics/topic-message.js';
import { TopicMessages } from '../../workflows/messages/topic-messages.js';
import type { DeviceGrant } from '../access/device-grant.js';
import { publishPurpose } from '../access/topic-rights.js';
import type { AgentSession } from '../agents/agent-session.js';
import type { EndedSession } from '../sessions/session-rows.js';
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
    private readonly custom: TopicMessages,
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
  receive(
    grant: DeviceGrant,
    topic: string,
    payload: Buffer,
    agent?: AgentSession,
  ): MessageOutcome | Promise<MessageOutcome> {
    const purpose = publishPurpose(this.topics, grant, topic);
    switch (purpose?.kind) {
      case undefined:
        return 'forbidden';
      case 'custom':
        return this.custom.receive(grant.applicationId, grant.deviceId, topic, payload);
      case 'state':
        return this.report(grant, purpose.deviceId, payload);
      case 'agent':
        return agent?.receive(purpose.name, payload)?.then(() => undefined);
    }
  }

  /** Publishes the last will of a device, whose topic was allowed when it connected. */
  will(grant: DeviceGrant, { topic, payload }: { topic: string; payload: Buffer }): void {
    this.catch(this.receive(grant, topic, payload));
  }

  /** Publishes the last will of a client of a process that has died. */
  lostWill({ deviceId, applicationId, will }: EndedSession): void {
    if (!will) return;
    const payload = Buffer.from(will.payload, 'base64');
    const named = this.topics.parse(will.topic);
    const publishing = named
      ? this.reports.receive({ deviceId, applicationId }, named.deviceId, payload)
      : this.custom.receive(applicationId, deviceId, will.topic, payload);
    this.catch(publishing);
  }

  /** Counts a message that was sent to a device. */
  sent({ applicationId, deviceId }: DeviceGrant, { topic, payload }: TopicMessage): void {
    if (!this.topics.isReserved(topic)) this.custom.sent(applicationId, deviceId, payload.length);
  }

  private catch(publishing: unknown): void {
    void Promise.resolve(publishing).catch((error: Error) =>
      this.logger.warn(`Could not publish a last will: ${error.message}`),
    );
  }

  private async report(grant: DeviceGrant, deviceId: string, payload: Buffer): Promise<MessageOutcome> {
    const outcome = await this.reports.receive(grant, deviceId, payload);
    return outcome === 'forbidden' ? outcome : undefined;
  }
}
