import { Injectable } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { writeEntry } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { RequestThrottle } from '../../../platform/throttle/request-throttle.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { PlatformTopics } from '../../../platform/topics/platform-topics.js';
import { TopicBus } from '../../../platform/topics/topic-bus.js';
import { ON_DEVICES } from '../../../workflows/graph/graph.js';
import { VIRTUAL_BUTTON } from '../../../workflows/runs/causes.js';
import { Firings } from '../../../workflows/runs/fire.js';
import { textOf } from '../../../workflows/runs/run-trigger.js';
import { flowEntry } from './flow-entry.js';
import { ownPayload } from './virtual-button.columns.js';
import type { VirtualButtonPress } from './virtual-button-press.js';
import {
  VirtualButtonsRepository,
  type DeployedFlow,
  type FoundButton,
} from './virtual-buttons.repository.js';

/** Manages the virtual buttons of workflows. */
@Injectable()
export class VirtualButtonsService {
  private readonly topics: PlatformTopics;

  constructor(
    private readonly buttons: VirtualButtonsRepository,
    private readonly firings: Firings,
    private readonly database: Database,
    private readonly throttle: RequestThrottle,
    private readonly bus: TopicBus,
    { TOPIC_PREFIX }: Config,
  ) {
    this.topics = new PlatformTopics(TOPIC_PREFIX);
  }

  /**
   * Enqueues a run, or passes the press to the device on which the workflow runs. Does nothing if the workflow or the
   * version is disabled.
   */
  async press(
    { id: applicationId, ...owner }: ApplicationAccess,
    flowId: string,
    { deviceId, ...given }: VirtualButtonPress,
    by: Author,
  ): Promise<Success> {
    const { key, flowVersion } = given;
    const id = deviceId?.toLowerCase();
    const deployed =
      id === undefined ? undefined : await this.buttons.findDeployed(applicationId, id, flowId);
    const version = flowVersion ?? deployed?.version ?? 'default';
    const button = await this.buttons.find(applicationId, flowId, version, key);
    const isOnDevice = ON_DEVICES.has(button.flowClass);
    if (isOnDevice) assertReachable(id, deployed);
    assertExists(button);
    const { payload = ownPayload(button.ownPayload) } = given;
    const press = { ...given, payload, deviceId: id };
    this.throttle.consume(`button:${flowId}:${key}`);
    return this.database.transaction(async (transaction) => {
      if (isOnDevice) transaction.afterCommit(async () => this.relay(applicationId, press));
      else if (button.isEnabled)
        await this.fire({ applicationId, flowId, ...button }, press, by, transaction);
      const application = { id: applicationId, ...owner };
      await writeEntry(transaction.manager, by, flowEntry(application, { flowId, ...button }));
      return new Success();
    });
  }

  private async fire(
    { applicationId, flowId, flowVersionId }: FoundButton & { applicationId: string; flowId: string },
    { key, payload, meta, deviceId, deploymentId }: VirtualButtonPress,
    by: Author,
    transaction: Transaction,
  ): Promise<void> {
    const trigger = {
      data: payload,
      sourceId: by.id,
      sourceType: by.type,
      meta,
      deploymentId: deploymentId?.toLowerCase(),
    };
    const bytes = Buffer.byteLength(JSON.stringify(payload));
    const pressed = {
      applicationId,
      deviceId,
      triggers: [{ type: 'virtualButton', key, flowId, flowVersionId }],
      items: [{ given: textOf(trigger), channel: by.channel, bytes }],
    } as const;
    await this.firings.fire(VIRTUAL_BUTTON, [pressed], transaction);
  }

  /** Sends the press to the agent of the device. */
  private relay(
    applicationId: string,
    { key, payload, meta, flowVersion, deviceId }: VirtualButtonPress,
  ): void {
    const message = Buffer.from(JSON.stringify({ key, payload, meta, flowVersion }));
    const topic = this.topics.toAgent(deviceId!, 'virtualButton');
    const options = { key: this.topics.agentKey(deviceId!), isExact: true };
    this.bus.publish(applicationId, topic, message, options);
  }

  /** Returns the button that a press names. Throws if it does not exist. */
  async find(applicationId: string, flowId: string, flowVersion: string, key: string): Promise<FoundButton> {
    const button = await this.buttons.find(applicationId, flowId, flowVersion, key);
    assertExists(button);
    return button;
  }
}

function assertExists({ hasVersion, hasButton }: FoundButton): void {
  if (!hasVersion)
    throw new ValidationError('virtualButtonPress.flowVersion is not a version of the workflow');
  if (!hasButton) throw new ValidationError('virtualButtonPress.key is not a virtual button of the version');
}

/** Throws if the device that is to receive the press does not run the workflow, or is not connected. */
function assertReachable(deviceId: string | undefined, deployed: DeployedFlow | undefined): void {
  if (deviceId === undefined)
    throw new ValidationError('virtualButtonPress.deviceId is required for workflows that run on devices');
  if (!deployed) throw new ValidationError('virtualButtonPress.deviceId is not a device with this workflow');
  if (!deployed.isConnected)
    throw new ValidationError('virtualButtonPress.deviceId is not a connected device');
}
