import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Database } from '../../platform/database/database.js';
import { ApplicationRepository } from '../../platform/repository.js';
import { Webhook, WEBHOOKS } from './webhook.resource.js';

/** The rows of webhooks. */
@Injectable()
export class WebhooksRepository extends ApplicationRepository<Webhook> {
  constructor(@InjectRepository(Webhook) rows: Repository<Webhook>, database: Database) {
    super(rows, database, WEBHOOKS);
  }
}
