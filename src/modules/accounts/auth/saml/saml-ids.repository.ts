import { Injectable } from '@nestjs/common';
import { Database } from '../../../../platform/database/database.js';
import { prepared } from '../../../../platform/database/statements.js';
import type { SamlId } from '../auth.resource.js';

const CLAIM = `WITH expired AS (DELETE FROM saml_ids WHERE expires < now())
  INSERT INTO saml_ids (kind, id, domain, expires) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING id`;

/** IDs of answered requests and used assertions, shared by all processes. */
@Injectable()
export class SamlIdsRepository {
  constructor(private readonly database: Database) {}

  /** Returns `true` for the first claim of the ID only. The ID is stored for as long as it would be accepted. */
  async claim({ kind, id, domain, expires }: SamlId): Promise<boolean> {
    return (await this.database.run(prepared(CLAIM, [kind, id, domain, expires]))).length > 0;
  }
}
