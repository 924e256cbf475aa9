import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import type { SamlStore } from './saml-verifier.js';

const REMEMBER = `WITH expired AS (DELETE FROM saml_ids WHERE expires < now())
  INSERT INTO saml_ids (kind, id, domain, expires) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING id`;
const TAKE = `DELETE FROM saml_ids WHERE kind = 'request' AND id = $1 AND domain = $2 AND expires >= now() RETURNING id`;

/** The ids of requests that wait for an answer and of assertions that were used, for all processes together. */
@Injectable()
export class SamlIdsRepository implements SamlStore {
  constructor(private readonly database: Database) {}

  async rememberRequest(id: string, domain: string, until: Date): Promise<void> {
    await this.database.run(prepared(REMEMBER, ['request', id, domain, until]));
  }

  async takeRequest(id: string, domain: string): Promise<boolean> {
    return (await this.database.run(prepared(TAKE, [id, domain]))).length > 0;
  }

  async claimAssertion(id: string, domain: string, until: Date): Promise<boolean> {
    return (await this.database.run(prepared(REMEMBER, ['assertion', id, domain, until]))).length > 0;
  }
}
