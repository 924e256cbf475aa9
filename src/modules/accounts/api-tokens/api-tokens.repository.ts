import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { inApplication, inInstance, type AuditTarget } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { countSql } from '../../../platform/counts/counts.js';
import type { Changes } from '../../../platform/database/changes.js';
import { Database } from '../../../platform/database/database.js';
import { ScopedRepository, type RowLimit } from '../../../platform/repositories/repository.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { ApiToken } from './api-token.resource.js';

/** Repository of the tokens of one type of owner. */
class OwnedTokens extends ScopedRepository<ApiToken> {
  constructor(
    rows: Repository<ApiToken>,
    database: Database,
    private readonly count: string,
    audited?: AuditTarget,
  ) {
    super(rows, database, { table: 'api_tokens', title: 'API token', scope: 'ownerId', audited, count });
  }

  /** Inserts a row. Throws 400 if this would exceed a limit set in `limited`. */
  addTo(
    ownerId: string,
    row: Changes<ApiToken>,
    by: Author,
    limited: Omit<RowLimit, 'used'>,
  ): Promise<StoredResource<ApiToken>> {
    return this.addWithinLimit(ownerId, row, by, { ...limited, used: countSql('$2', `'${this.count}'`) });
  }
}

/** Repository of API tokens, by type of owner: each type has a separate audit log or none. */
@Injectable()
export class ApiTokensRepository {
  readonly user: OwnedTokens;
  readonly application: OwnedTokens;
  readonly instance: OwnedTokens;

  constructor(@InjectRepository(ApiToken) rows: Repository<ApiToken>, database: Database) {
    const inOrganization = inApplication('ApiToken', 't.name', 't.owner_id');
    this.user = new OwnedTokens(rows, database, 'userApiTokenCount');
    this.application = new OwnedTokens(rows, database, 'apiTokenCount', inOrganization);
    this.instance = new OwnedTokens(
      rows,
      database,
      'apiTokenCount',
      inInstance('ApiToken', 't.name', 't.owner_id'),
    );
  }
}
