import { Injectable } from '@nestjs/common';
import type { ApplicationAccess } from '../../../platform/access/request.js';
import type { Author } from '../../../platform/audit/author.js';
import { SecretBox } from '../../../lib/crypto/secrets.js';
import { Database } from '../../../platform/database/database.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { newId } from '../../../platform/repositories/resource.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import type { Config, Secrets } from '../../../platform/sealed/sealed-config.js';
import type { CredentialType } from './credential.configs.js';
import {
  configsOf,
  type Credential,
  type CredentialPatch,
  type CredentialPost,
} from './credential.resource.js';
import {
  assertType,
  assertComplete,
  merged,
  SECRETS_SEALED,
  requestedType,
  withNewKey,
} from './credential.rules.js';
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
    const given = requestedType(post);
    if (!given) throw new ValidationError(`credential.${type}Config is required`);
    assertType(given, type);
    const config = configsOf(post)[`${type}Config`]!;
    assertComplete(type, config);
    const whole = await withNewKey(type, config);
    const { shown, secrets } = merged(type, { shown: {}, secrets: {} }, whole);
    const id = newId();
    const row = {
      ...post,
      id,
      enabled: post.enabled ?? true,
      [`${type}Config`]: shown,
      secretsSealed: this.seal(id, secrets),
    };
    return this.credentials.addToApplication(application, row, by);
  }

  get(applicationId: string, id: string): Promise<StoredResource<Credential>> {
    return this.credentials.findOneOrFail(applicationId, id);
  }

  async patch(
    applicationId: string,
    id: string,
    patch: CredentialPatch,
    by: Author,
  ): Promise<StoredResource<Credential>> {
    const given = requestedType(patch);
    if (!given) return this.credentials.update(applicationId, id, patch, by);
    // Generates keys before the row is locked, because this is slow.
    const known = (await this.credentials.findOneOrFail(applicationId, id)).toObject();
    const { type } = known;
    assertType(given, type);
    const member = `${type}Config` as const;
    const config = await withNewKey(type, configsOf(patch)[member]!, configsOf(known)[member]);
    return this.database.transaction(async (transaction) => {
      const row = await this.credentials.lock(applicationId, id, transaction);
      const before = { shown: configsOf(row)[member]!, secrets: this.open(row) };
      const { shown, secrets } = merged(type, before, config);
      const changes = { ...patch, [member]: shown, secretsSealed: this.seal(row.id, secrets) };
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
    return { type, enabled, members: { ...configsOf(row)[`${type}Config`], ...this.open(row) } };
  }

  private seal(id: string, secrets: Secrets): string {
    return SECRETS_SEALED.sealSecrets(id, secrets, this.secrets);
  }

  private open({ id, secretsSealed }: Credential): Secrets {
    return SECRETS_SEALED.openSecrets(id, secretsSealed, this.secrets);
  }
}
