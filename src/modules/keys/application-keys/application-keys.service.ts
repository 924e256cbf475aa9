import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { AccessCache } from '../../../platform/access/access-cache.js';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import { randomToken, sha256 } from '../../../lib/crypto/hashes.js';
import type { Changes } from '../../../platform/database/changes.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
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
    return this.keys.findApplicationPage(application, list);
  }

  /** Stores only a hash of the secret. The response is the only place that contains the secret. */
  async create(
    application: ApplicationAccess,
    post: ApplicationKeyPost,
    by: Author,
  ): Promise<StoredResource<ApplicationKeyPostResponse>> {
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
    const stored = await this.keys.addToApplication(application, row, by);
    return stored.withMembers({
      secret: JSON.stringify(secret),
    }) as StoredResource<ApplicationKeyPostResponse>;
  }

  get(applicationId: string, id: string): Promise<StoredResource<ApplicationKey>> {
    return this.keys.findOneOrFail(applicationId, id);
  }

  async patch(
    applicationId: string,
    id: string,
    patch: ApplicationKeyPatch,
    by: Author,
  ): Promise<StoredResource<ApplicationKey>> {
    checkAddresses(patch.addresses);
    const changed = await this.keys.update(applicationId, id, patch, by);
    await this.cache.evict(id);
    return changed;
  }

  async delete(applicationId: string, id: string, by: Author): Promise<Success> {
    await this.keys.delete(applicationId, id, by);
    await this.cache.evict(id);
    return new Success();
  }
}
