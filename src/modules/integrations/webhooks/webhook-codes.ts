import { Injectable } from '@nestjs/common';
import { Repeated } from '../../../platform/database/repeated.js';
import { WebhooksRepository } from './webhooks.repository.js';

const HOUR_MS = 3_600_000;
const BATCH = 100;

/** Seals codes of webhooks that were kept before codes were sealed, or by a process that does not know of it yet. */
@Injectable()
export class WebhookCodes extends Repeated {
  constructor(private readonly webhooks: WebhooksRepository) {
    super(HOUR_MS, 'Codes of webhooks were not sealed');
  }

  protected async batch(): Promise<boolean> {
    return (await this.webhooks.sealCodes(BATCH)) === BATCH;
  }
}
