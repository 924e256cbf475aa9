import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../config/config.js';
import { RunsIn } from '../platform/processes/roles.js';
import { PlatformTopics } from '../platform/topics/platform-topics.js';
import { TopicBus } from '../platform/topics/topic-bus.js';
import { Admission } from './access/admission.js';
import { SessionChecks } from './access/session-checks.js';
import type { DeviceGrant } from './access/device-grant.js';
import { DeviceGrantsRepository } from './access/device-grants.repository.js';
import { AgentSessions } from './agents/agent-sessions.js';
import { Bans } from './limits/bans.js';
import type { MessageLimits } from './limits/message-windows.js';
import { DeviceMessages } from './messages/device-messages.js';
import { Sessions } from './sessions/sessions.js';

/** A client as the services see it. */
export interface ConnectedClient {
  /** The device, once it has signed in. */
  readonly grant?: DeviceGrant;
  /** Disconnects the client if it is silent for too long. */
  check(now: number): void;
  close(reason: string): void;
}

/** What the clients of this process share. */
@Injectable()
@RunsIn('broker')
export class ClientServices {
  /** All clients, also those that have not signed in. */
  readonly clients = new Set<ConnectedClient>();
  readonly topics: PlatformTopics;
  readonly limits: MessageLimits;
  private readonly logger = new Logger('Client');

  constructor(
    readonly admission: Admission,
    readonly checks: SessionChecks,
    readonly sessions: Sessions,
    readonly messages: DeviceMessages,
    readonly agents: AgentSessions,
    readonly grants: DeviceGrantsRepository,
    readonly bus: TopicBus,
    private readonly bans: Bans,
    config: Config,
  ) {
    this.topics = new PlatformTopics(config.TOPIC_PREFIX);
    this.limits = { perClient: config.MQTT_MESSAGES_PER_CLIENT, perTopic: config.MQTT_MESSAGES_PER_TOPIC };
  }

  /** Bans a device that has sent too many messages. */
  ban({ deviceId }: DeviceGrant): void {
    void this.bans.ban(deviceId).catch((error: unknown) => this.failed(error));
  }

  /** Logs a failure that is not the fault of a client. */
  failed(error: unknown): undefined {
    this.logger.warn(`Could not process a message: ${(error as Error).message}`);
  }
}
