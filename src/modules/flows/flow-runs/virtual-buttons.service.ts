import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import { writeEntry } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { Database } from '../../../platform/database/database.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { RequestThrottle } from '../../../platform/throttle/request-throttle.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { VIRTUAL_BUTTON } from '../../../workflows/runs/causes.js';
import { Firings } from '../../../workflows/runs/fire.js';
import { textOf } from '../../../workflows/runs/run-trigger.js';
import { flowEntry } from './flow-entry.js';
import type { VirtualButtonPress } from './virtual-button-press.js';
import { VirtualButtonsRepository } from './virtual-buttons.repository.js';

/** Manages the virtual buttons of workflows. */
@Injectable()
export class VirtualButtonsService {
  constructor(
    private readonly buttons: VirtualButtonsRepository,
    private readonly firings: Firings,
    private readonly database: Database,
    private readonly throttle: RequestThrottle,
  ) {}

  /** Enqueues a run. Does nothing if the workflow or the version is disabled. */
  async press(
    application: ApplicationAccess,
    flowId: string,
    press: VirtualButtonPress,
    by: Author,
  ): Promise<Success> {
    const { key, payload = {}, meta, flowVersion = 'default', deviceId, deploymentId } = press;
    const button = await this.buttons.find(application.id, flowId, flowVersion, key);
    if (!button.hasVersion)
      throw new ValidationError('virtualButtonPress.flowVersion is not a version of the workflow');
    if (!button.hasButton)
      throw new ValidationError('virtualButtonPress.key is not a virtual button of the version');
    this.throttle.consume(`button:${flowId}:${key}`);
    const { flowVersionId } = button;
    const trigger = {
      data: payload,
      sourceId: by.id,
      sourceType: by.type,
      meta,
      deploymentId: deploymentId?.toLowerCase(),
    };
    const bytes = Buffer.byteLength(JSON.stringify(payload));
    const pressed = {
      applicationId: application.id,
      deviceId: deviceId?.toLowerCase(),
      triggers: [{ type: 'virtualButton', key, flowId, flowVersionId }],
      items: [{ given: textOf(trigger), channel: by.channel, bytes }],
    } as const;
    return this.database.transaction(async (transaction) => {
      if (button.isEnabled) await this.firings.fire(VIRTUAL_BUTTON, [pressed], transaction);
      await writeEntry(transaction.manager, by, flowEntry(application, { flowId, ...button }));
      return new Success();
    });
  }
}
