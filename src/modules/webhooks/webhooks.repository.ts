import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Database } from '../../platform/database/database.js';
import { RowShape } from '../../platform/database/row-shape.js';
import { prepared } from '../../platform/database/statements.js';
import { ApplicationRepository } from '../../platform/repository.js';
import { Webhook, WEBHOOKS } from './webhook.resource.js';

/** What a receiver has to know of a webhook; nobody is told of its password. */
const RECEIVING = new RowShape<Webhook>(Webhook, [
  { property: 'basicAuthSealed', kind: 'text', sql: 't.basic_auth_sealed' },
]);
/** Of an application that is there, whose owner is there and not disabled. */
const BY_TOKEN = RECEIVING.select(`FROM webhooks t
  JOIN applications a ON a.id = t.application_id AND a.deleted_at IS NULL
  LEFT JOIN orgs o ON o.id = a.owner_id AND o.deleted_at IS NULL AND NOT coalesce(o.disabled_at <= now(), false)
  LEFT JOIN users u ON u.id = a.owner_id AND u.permanent_deletion IS NULL
  WHERE t.token = $1 AND coalesce(o.id, u.id) IS NOT NULL`);

/** The rows of webhooks. */
@Injectable()
export class WebhooksRepository extends ApplicationRepository<Webhook> {
  constructor(@InjectRepository(Webhook) rows: Repository<Webhook>, database: Database) {
    super(rows, database, WEBHOOKS);
  }

  /** The webhook whose address has the token, where there is such a one and its owner may receive. */
  async receiving(token: string): Promise<Webhook | undefined> {
    const [row] = await this.database.read(prepared(BY_TOKEN, [token]));
    return row && RECEIVING.toObject(row);
  }
}
