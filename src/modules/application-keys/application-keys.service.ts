import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { ApplicationAccess } from '../../platform/access/request.js';
import { inApplication } from '../../platform/audit/audit.js';
import type { Author } from '../../platform/audit/author.js';
import { applicationSummary, orgSummary, meSummary } from '../../platform/counts/summaries.js';
import { randomToken, sha256 } from '../../platform/crypto/hashes.js';
import { Database } from '../../platform/database/database.js';
import { demandWithinLimit, limitedOwner } from '../../platform/limits.js';
import type { ListParameters } from '../../platform/list/list-query.js';
import { ApplicationRepository } from '../../platform/repository.js';
import type { Stored, StoredPage } from '../../platform/response/answers.js';
import { Success } from '../../platform/shared.schemas.js';
import {
  ApplicationKey,
  type ApplicationKeyPatch,
  type ApplicationKeyPost,
  type ApplicationKeyPostResponse,
} from './application-key.resource.js';
import { checkAddresses } from './application-key.rules.js';

applicationSummary.countedBy(
  'keyCount',
  '(SELECT count(*) FROM application_keys k WHERE k.application_id = t.id)',
);
for (const summary of [meSummary, orgSummary]) {
  summary.countedBy(
    'keyCount',
    `(SELECT count(*) FROM application_keys k JOIN applications a ON a.id = k.application_id AND a.deleted_at IS NULL
      WHERE a.owner_id = t.id)`,
  );
}

const SECRET_BYTES = 256;
const KEYS = '(SELECT count(*) FROM application_keys k WHERE k.application_id = $2)';

/** The keys with which devices of applications sign in. */
@Injectable()
export class ApplicationKeysService {
  private readonly keys: ApplicationRepository<ApplicationKey>;

  constructor(private readonly database: Database) {
    this.keys = new ApplicationRepository(database, ApplicationKey, {
      table: 'application_keys',
      title: 'Application key',
      audited: inApplication('ApplicationKey', 'coalesce(t.name, t.key)'),
    });
  }

  list(applicationId: string, list: ListParameters): Promise<StoredPage<ApplicationKey>> {
    return this.keys.page(applicationId, list);
  }

  /** Stores the secret as a hash; the answer is the only place where it is shown. */
  async create(
    application: ApplicationAccess,
    post: ApplicationKeyPost,
    by: Author,
  ): Promise<Stored<ApplicationKeyPostResponse>> {
    checkAddresses(post.addresses);
    const secret = randomToken(SECRET_BYTES);
    const row: Partial<ApplicationKey> = {
      deviceTags: [],
      addressFilterType: 'all',
      addresses: [],
      filterType: 'none',
      pubTopics: [],
      subTopics: [],
      ...post,
      deviceIds: (post.deviceIds ?? []).map((id) => id.toLowerCase()),
      key: randomUUID(),
      status: 'active',
      secretHash: sha256(secret),
    };
    const stored = await this.database.transaction(async (transaction) => {
      await demandWithinLimit(transaction.manager, limitedOwner(application), 'applicationkey', KEYS, [
        application.id,
      ]);
      return this.keys.add(application.id, row, by, transaction);
    });
    return stored.with({ secret: JSON.stringify(secret) }) as Stored<ApplicationKeyPostResponse>;
  }

  get(applicationId: string, id: string): Promise<Stored<ApplicationKey>> {
    return this.keys.obtain(applicationId, id);
  }

  async patch(
    applicationId: string,
    id: string,
    patch: ApplicationKeyPatch,
    by: Author,
  ): Promise<Stored<ApplicationKey>> {
    checkAddresses(patch.addresses);
    return this.keys.change(applicationId, id, patch, by);
  }

  async delete(applicationId: string, id: string, by: Author): Promise<Success> {
    await this.keys.drop(applicationId, id, by);
    return new Success();
  }
}
