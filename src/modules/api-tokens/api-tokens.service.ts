import { Inject, Injectable } from '@nestjs/common';
import { AccessCache } from '../../platform/access/access-cache.js';
import { inApplication, inInstance, type Audited } from '../../platform/audit/audit.js';
import type { Author } from '../../platform/audit/author.js';
import { applicationSummary, orgSummary } from '../../platform/counts/summaries.js';
import { sha256 } from '../../platform/crypto/hashes.js';
import { Database } from '../../platform/database/database.js';
import { demandWithinLimit, limitedOwner, type LimitedOwner } from '../../platform/limits.js';
import type { ListParameters } from '../../platform/list/list-query.js';
import { ScopedRepository } from '../../platform/repository.js';
import { newId } from '../../platform/resource.js';
import { StoredPage, type Stored } from '../../platform/response/answers.js';
import { Success } from '../../platform/shared.schemas.js';
import { TokenSigner } from '../../platform/tokens/token-signer.js';
import { ApiToken, type ApiTokenPatch, type ApiTokenPost } from './api-token.resource.js';
import { expiryOfNew, rolesOfChange, rolesOfNew, scopesOfNew, type TokenOwner } from './api-token.rules.js';

applicationSummary.countedBy('apiTokenCount', '(SELECT count(*) FROM api_tokens k WHERE k.owner_id = t.id)');
orgSummary.countedBy(
  'apiTokenCount',
  `(SELECT count(*) FROM api_tokens k JOIN applications a ON a.id = k.owner_id AND a.deleted_at IS NULL
    WHERE a.owner_id = t.id)`,
);

const OWNED = '(SELECT count(*) FROM api_tokens k WHERE k.owner_id = $2)';

/**
 * The API tokens of users, applications and instances. A token can be made narrower than the one that makes it, never
 * wider or longer.
 */
@Injectable()
export class ApiTokensService {
  private readonly tokens: Readonly<Record<TokenOwner['type'], ScopedRepository<ApiToken>>>;

  constructor(
    private readonly database: Database,
    private readonly cache: AccessCache,
    @Inject(TokenSigner) private readonly signer: TokenSigner,
  ) {
    const options = { table: 'api_tokens', title: 'API token', scope: 'ownerId' };
    const tokensWith = (audited?: Audited) =>
      new ScopedRepository(database, ApiToken, { ...options, audited });
    this.tokens = {
      user: tokensWith(),
      application: tokensWith(inApplication('ApiToken', 't.name', 't.owner_id')),
      instance: tokensWith(inInstance('ApiToken', 't.name', 't.owner_id')),
    };
  }

  async list({ type, id }: TokenOwner, list: ListParameters): Promise<StoredPage<ApiToken>> {
    const { items, envelope } = await this.tokens[type].page(id, list);
    return new StoredPage(items, { ...envelope, ownerId: id, ownerType: type });
  }

  /** Stores the token as a hash; the answer is the only place where it is shown. */
  async create(owner: TokenOwner, post: ApiTokenPost, by: Author): Promise<Stored<ApiToken>> {
    const { caller } = by;
    const id = newId();
    const scope = [...scopesOfNew(caller, owner.type, post.scope)];
    const expirationDate = expiryOfNew(caller, post.expirationDate);
    const ownerType = owner.type === 'user' ? undefined : owner.type;
    const token = this.signer.sign({ sub: owner.id, ownerType, scope, jti: id }, { expires: expirationDate });
    const row: Partial<ApiToken> = {
      ...post,
      ...rolesOfNew(caller, owner, post),
      id,
      scope,
      expirationDate,
      status: post.status ?? 'active',
      ownerType: owner.type,
      creatorId: caller.actor.id,
      creatorType: caller.actor.type,
      creatorName: caller.token?.name ?? caller.name,
      tokenHash: sha256(token),
    };
    const stored = await this.add(owner, row, by);
    return stored.with({ token: JSON.stringify(token) });
  }

  get({ type, id: ownerId }: TokenOwner, id: string): Promise<Stored<ApiToken>> {
    return this.tokens[type].obtain(ownerId, id);
  }

  /** A change of status or roles holds from the next request on, in every process. */
  async patch(owner: TokenOwner, id: string, patch: ApiTokenPatch, by: Author): Promise<Stored<ApiToken>> {
    const changes = { ...patch, ...rolesOfChange(by.caller, owner, patch) };
    const changed = await this.tokens[owner.type].change(owner.id, id, changes, by);
    await this.cache.drop(owner.id);
    return changed;
  }

  async delete({ type, id: ownerId }: TokenOwner, id: string, by: Author): Promise<Success> {
    await this.tokens[type].drop(ownerId, id, by);
    await this.cache.drop(ownerId);
    return new Success();
  }

  /** Tokens of users are not limited; those of each application and instance are, where there is a limit. */
  private add(owner: TokenOwner, row: Partial<ApiToken>, by: Author): Promise<Stored<ApiToken>> {
    const tokens = this.tokens[owner.type];
    if (owner.type === 'user') return tokens.add(owner.id, row, by);
    return this.database.transaction(async (transaction) => {
      const [limited, limit] = limitOf(owner);
      await demandWithinLimit(transaction.manager, limited, limit, OWNED, [owner.id]);
      return tokens.add(owner.id, row, by, transaction);
    });
  }
}

/** Who says how many tokens there may be, and under which name. */
function limitOf(owner: Exclude<TokenOwner, { type: 'user' }>): [LimitedOwner, string] {
  if (owner.type === 'instance') return [{ table: 'instances', id: owner.id }, 'instanceApiToken'];
  return [limitedOwner(owner.application), 'apitoken'];
}
