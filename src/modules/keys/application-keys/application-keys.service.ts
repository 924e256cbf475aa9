import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { AccessCache } from '../../../platform/access/access-cache.js';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import { randomToken, sha256 } from '../../../lib/crypto/hashes.js';
import type { Changes } from '../../../platform/database/changes.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import type { Stored, StoredPage } from '../../../platform/responses/answers.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import type {
  ApplicationKey,
  ApplicationKeyPatch,
  ApplicationKeyPost,
  ApplicationKeyPostResponse,
} from './application-key.resource.js';
import { ApplicationKeysRepository } from './application-keys.repository.js';
import { checkAddresses } from './application-key.rules.js';

const SECRET_BYTES = 256;

/** Manages the keys with which devices authenticate; changes take effect immediately, for issued tokens too. */
@Injectable()
export class ApplicationKeysService {
  constructor(
    private readonly keys: ApplicationKeysRepository,
    private readonly cache: AccessCache,
  ) {}

  list(application: ApplicationAccess, list: ListParameters): Promise<StoredPage<ApplicationKey>> {
    return this.keys.pageOf(application, list);
  }

  /** Stores only a hash of the secret. The response is the only place that contains the secret. */
  async create(
    application: ApplicationAccess,
    post: ApplicationKeyPost,
    by: Author,
  ): Promise<Stored<ApplicationKeyPostResponse>> {
    checkAddresses(post.addresses);
    const secret = randomToken(SECRET_BYTES);
    const row: Changes<ApplicationKey> = {
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
    const stored = await this.keys.addTo(application, row, by);
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
    const changed = await this.keys.change(applicationId, id, patch, by);
    await this.cache.drop(id);
    return changed;
  }

  async delete(applicationId: string, id: string, by: Author): Promise<Success> {
    await this.keys.drop(applicationId, id, by);
    await this.cache.drop(id);
    return new Success();
  }
}
