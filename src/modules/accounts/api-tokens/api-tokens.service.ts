import { Inject, Injectable } from '@nestjs/common';
import { AccessCache } from '../../../platform/access/access-cache.js';
import type { Author } from '../../../platform/audit/author.js';
import { sha256 } from '../../../lib/crypto/hashes.js';
import type { Changes } from '../../../platform/database/changes.js';
import { limitedOwner } from '../../../platform/holdings/limits.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import type { RowLimit } from '../../../platform/repositories/repository.js';
import { newId } from '../../../platform/repositories/resource.js';
import { StoredPage, type StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ScopeGrants } from '../../../platform/access/scopes.js';
import { TokenSigner } from '../../../platform/access/token-signer.js';
import type { ApiToken, ApiTokenPatch, ApiTokenPost } from './api-token.resource.js';
import { ApiTokensRepository } from './api-tokens.repository.js';
import {
  assertCovers,
  expiryOfNew,
  rolesOfChange,
  rolesOfNew,
  scopesOfNew,
  type TokenOwner,
} from './api-token.rules.js';

/**
 * Manages API tokens of users, applications and instances. A new token can have narrower access than the token that
 * creates it, but never wider access or a later expiration.
 */
@Injectable()
export class ApiTokensService {
  constructor(
    private readonly tokens: ApiTokensRepository,
    private readonly cache: AccessCache,
    private readonly grants: ScopeGrants,
    @Inject(TokenSigner) private readonly signer: TokenSigner,
  ) {}

  async list(owner: TokenOwner, list: ListParameters): Promise<StoredPage<ApiToken>> {
    const { type, id } = owner;
    const holder = type === 'application' ? owner.application.ownerId : id;
    const { items, envelope } = await this.tokens[type].findPage(id, list, holder);
    return new StoredPage(items, { ...envelope, ownerId: id, ownerType: type });
  }

  /** Stores a hash of the token. The token itself is returned only here. */
  async create(owner: TokenOwner, post: ApiTokenPost, by: Author): Promise<StoredResource<ApiToken>> {
    const { caller } = by;
    const id = newId();
    const scope = [...scopesOfNew(this.grants, caller, owner.type, post.scope)];
    const expirationDate = expiryOfNew(caller, post.expirationDate);
    const ownerType = owner.type === 'user' ? undefined : owner.type;
    const token = this.signer.sign({ sub: owner.id, ownerType, scope, jti: id }, { expires: expirationDate });
    const row: Changes<ApiToken> = {
      ...post,
      ...rolesOfNew(caller, owner, post),
      id,
      scope,
      expirationDate,
      status: post.status ?? 'active',
      ownerType: owner.type,
      creatorId: by.id,
      creatorType: by.signer,
      creatorName: caller.token?.name ?? caller.name,
      tokenHash: sha256(token),
    };
    const stored = await this.add(owner, row, by);
    return stored.withMembers({ token: JSON.stringify(token) });
  }

  get({ type, id: ownerId }: TokenOwner, id: string): Promise<StoredResource<ApiToken>> {
    return this.tokens[type].findOneOrFail(ownerId, id);
  }

  /** Changes to the status or roles take effect immediately in every process. */
  async patch(
    owner: TokenOwner,
    id: string,
    patch: ApiTokenPatch,
    by: Author,
  ): Promise<StoredResource<ApiToken>> {
    const changes = { ...patch, ...rolesOfChange(by.caller, owner, patch) };
    if (patch.status === 'active' || patch.defaultRole || patch.orgRoles)
      assertCovers(this.grants, by.caller, owner, (await this.get(owner, id)).toObject(), patch);
    const changed = await this.tokens[owner.type].update(owner.id, id, changes, by);
    await this.cache.evict(owner.id);
    return changed;
  }

  async delete({ type, id: ownerId }: TokenOwner, id: string, by: Author): Promise<Success> {
    await this.tokens[type].delete(ownerId, id, by);
    await this.cache.evict(ownerId);
    return new Success();
  }

  /** Limits the tokens of each application and instance. Tokens of users are not limited. */
  private add(owner: TokenOwner, row: Changes<ApiToken>, by: Author): Promise<StoredResource<ApiToken>> {
    if (owner.type === 'user') return this.tokens.user.add(owner.id, row, by);
    return this.tokens[owner.type].addTo(owner.id, row, by, limitOf(owner));
  }
}

/** Returns the owner and the name of the limit on the number of tokens. */
function limitOf(owner: Exclude<TokenOwner, { type: 'user' }>): Omit<RowLimit, 'used'> {
  if (owner.type === 'instance')
    return { owner: { table: 'instances', id: owner.id }, limit: 'instanceApiToken' };
  return { owner: limitedOwner(owner.application), limit: 'apitoken' };
}
