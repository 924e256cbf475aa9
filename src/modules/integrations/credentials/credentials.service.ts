import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import { SecretBox } from '../../../lib/crypto/secrets.js';
import { Database } from '../../../platform/database/database.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { newId } from '../../../platform/repositories/resource.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import type { Config } from '../../../platform/sealed/sealed-config.js';
import type { CredentialType } from './credential-types.js';
import { CREDENTIAL_CONFIGS } from './credential.configs.js';
import type { Credential, CredentialPatch, CredentialPost } from './credential.resource.js';
import { assertComplete, merged, requestedType, withNewKey } from './credential.rules.js';
import { CredentialsRepository } from './credentials.repository.js';

/** A credential with its decrypted secrets, for the clients that authenticate with it. */
export interface OpenedCredential {
  type: CredentialType;
  enabled: boolean;
  /** Configuration, including the secrets. */
  members: Config;
}

/** Manages the credentials with which resources of applications authenticate with other services. */
@Injectable()
export class CredentialsService {
  constructor(
    private readonly credentials: CredentialsRepository,
    private readonly database: Database,
    private readonly secrets: SecretBox,
  ) {}

  list(application: ApplicationAccess, list: ListParameters): Promise<StoredPage<Credential>> {
    return this.credentials.findApplicationPage(application, list);
  }

  async create(
    application: ApplicationAccess,
    post: CredentialPost,
    by: Author,
  ): Promise<StoredResource<Credential>> {
    const { type } = post;
    requestedType(post);
    const config = CREDENTIAL_CONFIGS.required(type, post);
    assertComplete(type, config);
    const whole = await withNewKey(application.ownerId, type, config);
    const split = merged(type, { shown: {}, secrets: {} }, whole);
    const id = newId();
    const columns = CREDENTIAL_CONFIGS.columns(id, type, split, this.secrets);
    const row = { ...post, id, enabled: post.enabled ?? true, ...columns };
    return this.credentials.addToApplication(application, row, by);
  }

  get(applicationId: string, id: string): Promise<StoredResource<Credential>> {
    return this.credentials.findOneOrFail(applicationId, id);
  }

  async patch(
    { id: applicationId, ownerId }: ApplicationAccess,
    id: string,
    patch: CredentialPatch,
    by: Author,
  ): Promise<StoredResource<Credential>> {
    if (!requestedType(patch)) return this.credentials.update(applicationId, id, patch, by);
    // Generates keys before the row is locked, because this is slow.
    const known = (await this.credentials.findOneOrFail(applicationId, id)).toObject();
    const { type } = known;
    const given = CREDENTIAL_CONFIGS.required(type, patch);
    const config = await withNewKey(ownerId, type, given, CREDENTIAL_CONFIGS.of(known, type));
    return this.database.transaction(async (transaction) => {
      const row = await this.credentials.lock(applicationId, id, transaction);
      const split = merged(type, CREDENTIAL_CONFIGS.stored(type, row, this.secrets), config);
      const changes = { ...patch, ...CREDENTIAL_CONFIGS.columns(row.id, type, split, this.secrets) };
      return this.credentials.update(applicationId, row.id, changes, by, transaction);
    });
  }

  async delete(applicationId: string, id: string, by: Author): Promise<Success> {
    await this.credentials.delete(applicationId, id, by);
    return new Success();
  }

  /** Returns the credential with this name, decrypted, or `undefined` if it does not exist. */
  async opened(applicationId: string, name: string): Promise<OpenedCredential | undefined> {
    const row = await this.credentials.named(applicationId, name);
    if (!row) return undefined;
    const { type, enabled } = row;
    const { shown, secrets } = CREDENTIAL_CONFIGS.stored(type, row, this.secrets);
    return { type, enabled, members: { ...shown, ...secrets } };
  }
}
