import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/access/principal.js';
import { coversScope } from '../../platform/access/scopes.js';
import type { Author } from '../../platform/audit/author.js';
import { sha256 } from '../../platform/crypto/hashes.js';
import { Database } from '../../platform/database/database.js';
import { Forbidden, ValidationError } from '../../platform/errors/errors.js';
import type { ListParameters } from '../../platform/list/list-query.js';
import { ScopedRepository } from '../../platform/repository.js';
import { newId } from '../../platform/resource.js';
import { StoredPage, type Stored } from '../../platform/response/answers.js';
import { Success } from '../../platform/shared.schemas.js';
import { AccessCache } from '../../platform/access/access-cache.js';
import { TokenSigner } from '../../platform/tokens/token-signer.js';
import type { ResourceRole } from '../orgs/org.resource.js';
import { ApiToken, type ApiTokenPatch, type ApiTokenPost } from './api-token.resource.js';

/** The API tokens of users. A token can be made narrower than the one that makes it, never wider or longer. */
@Injectable()
export class UserApiTokensService {
  private readonly tokens: ScopedRepository<ApiToken>;

  constructor(
    database: Database,
    private readonly cache: AccessCache,
    @Inject(TokenSigner) private readonly signer: TokenSigner,
  ) {
    this.tokens = new ScopedRepository(database, ApiToken, {
      table: 'api_tokens',
      title: 'API token',
      scope: 'ownerId',
    });
  }

  async list({ userId }: Principal, list: ListParameters): Promise<StoredPage<ApiToken>> {
    const { items, envelope } = await this.tokens.page(userId, list);
    return new StoredPage(items, { ...envelope, ownerId: userId, ownerType: 'user' });
  }

  /** Stores the token as a hash; the answer is the only place where it is shown. */
  async create(post: ApiTokenPost, by: Author): Promise<Stored<ApiToken>> {
    const { caller } = by;
    const { userId, actor, name } = caller;
    const scope = post.scope ?? [...caller.scopes];
    const wider = scope.find((wanted) => !coversScope(caller.scopes, wanted));
    if (wider) throw new Forbidden(`This token may not give ${wider}: its own scopes do not cover it`);
    refuseWiderRoles(caller, post);
    const id = newId();
    const expirationDate = expiryOf(caller, post.expirationDate);
    const token = this.signer.sign({ sub: userId, scope, jti: id }, { expires: expirationDate });
    const row: Partial<ApiToken> = {
      ...withCanonicalIds(post),
      ...(caller.cap as Pick<ApiToken, 'defaultRole' | 'orgRoles'> | undefined),
      id,
      scope,
      expirationDate,
      status: post.status ?? 'active',
      ownerType: 'user',
      creatorId: actor.id,
      creatorType: actor.type,
      creatorName: name,
      tokenHash: sha256(token),
    };
    const stored = await this.tokens.add(userId, row, by);
    return stored.with({ token: JSON.stringify(token) });
  }

  get({ userId }: Principal, id: string): Promise<Stored<ApiToken>> {
    return this.tokens.obtain(userId, id);
  }

  /** A change of status or roles holds from the next request on, in every process. */
  async patch(id: string, patch: ApiTokenPatch, by: Author): Promise<Stored<ApiToken>> {
    const { caller } = by;
    refuseWiderRoles(caller, patch);
    const changed = await this.tokens.change(caller.userId, id, withCanonicalIds(patch), by);
    await this.cache.drop(caller.userId);
    return changed;
  }

  async delete(id: string, by: Author): Promise<Success> {
    const { userId } = by.caller;
    await this.tokens.drop(userId, id, by);
    await this.cache.drop(userId);
    return new Success();
  }
}

/** When the new token ends: as asked, but not after the API token that makes it. */
function expiryOf(caller: Principal, wanted: Date | undefined): Date | undefined {
  const asked = wanted === undefined ? undefined : new Date(wanted);
  if (asked && asked.getTime() <= Date.now())
    throw new ValidationError('apiToken.expirationDate must be in the future');
  const end =
    caller.token === undefined || caller.expiresAt === undefined
      ? undefined
      : new Date(caller.expiresAt * 1000);
  if (!end) return asked;
  if (asked && asked > end)
    throw new ValidationError('apiToken.expirationDate must not be after that of the token that asks');
  return asked ?? end;
}

/** A token with capped roles hands out no roles: whether one cap is within another is nothing to be guessed at. */
function refuseWiderRoles(caller: Principal, given: Pick<ApiTokenPatch, 'defaultRole' | 'orgRoles'>): void {
  if (caller.cap && (given.defaultRole ?? given.orgRoles)) {
    throw new Forbidden('A token with capped roles cannot give roles');
  }
}

/** Ids may be written in upper case; a cap that was looked up by them as written would not hold. */
function withCanonicalIds<T extends Pick<ApiTokenPatch, 'orgRoles'>>(given: T): T {
  const canonical = (roles?: readonly ResourceRole[]) =>
    roles?.map((role) => ({ ...role, resourceId: role.resourceId.toLowerCase() }));
  const orgRoles = given.orgRoles?.map(({ orgId, role, applicationRoles, dashboardRoles }) => ({
    orgId: orgId.toLowerCase(),
    role,
    applicationRoles: canonical(applicationRoles),
    dashboardRoles: canonical(dashboardRoles),
  }));
  return orgRoles ? { ...given, orgRoles } : given;
}
