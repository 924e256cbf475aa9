import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { inApplication, inInstance, type Audited } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { countSql } from '../../../platform/counts/counts.js';
import type { Changes } from '../../../platform/database/changes.js';
import { Database } from '../../../platform/database/database.js';
import { ScopedRepository, type Room } from '../../../platform/repositories/repository.js';
import type { Stored } from '../../../platform/responses/answers.js';
import { ApiToken } from './api-token.resource.js';

/** The rows of the tokens that one kind of owner has. */
class OwnedTokens extends ScopedRepository<ApiToken> {
  constructor(
    rows: Repository<ApiToken>,
    database: Database,
    private readonly count: string,
    audited?: Audited,
  ) {
    super(rows, database, { table: 'api_tokens', title: 'API token', scope: 'ownerId', audited, count });
  }

  /** Stores a new row, or 400 where `limited` has a limit that leaves no room for it. */
  addTo(
    ownerId: string,
    row: Changes<ApiToken>,
    by: Author,
    limited: Omit<Room, 'used'>,
  ): Promise<Stored<ApiToken>> {
    return this.addLimited(ownerId, row, by, { ...limited, used: countSql('$2', `'${this.count}'`) });
  }
}

/** The rows of API tokens, by the kind of their owner: each kind has a log of its own, or none. */
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
