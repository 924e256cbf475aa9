import { Injectable } from '@nestjs/common';
import { Database } from '../../../../platform/database/database.js';
import { prepared } from '../../../../platform/database/statements.js';
import type { SamlId } from '../auth.resource.js';

const CLAIM = `WITH expired AS (DELETE FROM saml_ids WHERE expires < now())
  INSERT INTO saml_ids (kind, id, domain, expires) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING id`;

/** The ids of requests that were answered and of assertions that were used, for all processes together. */
@Injectable()
export class SamlIdsRepository {
  constructor(private readonly database: Database) {}

  /** True for the first who claims the id; it is kept as long as it would be taken. */
  async claim({ kind, id, domain, expires }: SamlId): Promise<boolean> {
    return (await this.database.run(prepared(CLAIM, [kind, id, domain, expires]))).length > 0;
  }
}
