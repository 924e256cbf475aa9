import { Inject, Injectable, Logger } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { ApiError } from '../../lib/errors/errors.js';
import { RunsIn } from '../../platform/processes/roles.js';
import { CONTRACT } from '../../platform/responses/body.guard.js';
import type { Contract } from '../../platform/responses/contract.js';
import { PlatformTopics } from '../../platform/topics/platform-topics.js';
import { EdgeAgentService } from '../../modules/deployments/edge-deployments/edge-agent.service.js';
import { EmbeddedAgentService } from '../../modules/deployments/embedded-modules/embedded-agent.service.js';
import { WatchedChannels } from '../../workflows/debug/watched-channels.js';
import type { DeviceGrant } from '../access/device-grant.js';
import { DeviceErrors } from '../messages/device-errors.js';
import { readJson } from '../messages/state-message.js';
import { AgentDebug } from './agent-debug.js';

/** What the agents that are connected to this process share. */
@Injectable()
@RunsIn('broker')
export class AgentServices {
  private readonly logger = new Logger('Agent');
  private readonly topics: PlatformTopics;

  constructor(
    readonly modules: EmbeddedAgentService,
    readonly gateways: EdgeAgentService,
    readonly watched: WatchedChannels,
    private readonly debug: AgentDebug,
    private readonly errors: DeviceErrors,
    @Inject(CONTRACT) private readonly contract: { current: Contract },
    { TOPIC_PREFIX }: Config,
  ) {
    this.topics = new PlatformTopics(TOPIC_PREFIX);
  }

  /**
   * Returns a message of an agent that `check` accepts. A faulty message is shown in debug streams, and `undefined` is
   * returned.
   */
  read<T>(
    grant: DeviceGrant,
    name: string,
    payload: Buffer,
    check: (value: unknown, contract: Contract) => T,
  ): T | undefined {
    try {
      return check(readJson(payload), this.contract.current);
    } catch (error) {
      this.refuse(grant, name, error);
      return undefined;
    }
  }

  /** Shows debug messages of an agent to those who watch. */
  showDebug(grant: DeviceGrant, payload: Buffer): void {
    this.debug.receive(grant, payload).catch((error: unknown) => this.refuse(grant, 'debug', error));
  }

  /** Shows why a message of an agent was refused. Other failures are logged. */
  refuse({ applicationId, deviceId }: DeviceGrant, name: string, error: unknown): void {
    const { message } = error as Error;
    if (!(error instanceof ApiError)) return this.logger.warn(`Could not process a message: ${message}`);
    this.errors.send({
      applicationId,
      deviceId,
      topic: this.topics.fromAgent(deviceId, name),
      message,
    });
  }
}
