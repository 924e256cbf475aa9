import { Injectable } from '@nestjs/common';
import { PeriodicTask } from '../../../platform/database/periodic-task.js';
import { WebhooksRepository } from './webhooks.repository.js';

const HOUR_MS = 3_600_000;
const BATCH = 100;

/** Encrypts verification codes of webhooks that are still stored in plain text, by older versions of the software. */
@Injectable()
export class WebhookCodes extends PeriodicTask {
  constructor(private readonly webhooks: WebhooksRepository) {
    super(HOUR_MS, 'Could not encrypt the verification codes of webhooks');
  }

  protected async runBatch(): Promise<boolean> {
    return (await this.webhooks.sealCodes(BATCH)) === BATCH;
  }
}
