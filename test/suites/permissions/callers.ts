import { ApiToken } from '../../../src/modules/accounts/api-tokens/api-token.resource.js';
import { sha256 } from '../../../src/lib/crypto/hashes.js';
import type { Role } from '../../../src/platform/operations/operation.js';
import { newId } from '../../../src/platform/repositories/resource.js';
import { TokenSigner, type Claims } from '../../../src/platform/access/token-signer.js';
import type { TestApp } from '../../setup/app.js';
import { makeUser, type TestUser } from '../../make/make.js';
import { Samples } from '../../contract/samples.js';
import type { Standing } from './expectation.js';
import type { Place } from './rules.js';

/** Rows that callers are tested on; their owner has every role. */
export interface World {
  test: TestApp;
  owner: TestUser;
  samples: Samples;
}

/** A caller in a world. */
export interface Caller {
  /** Access token; unset for anonymous callers. */
  token?: string;
  /** The caller, if a user; otherwise the user whose account the token would act on. */
  user: TestUser;
  /** Samples with the rows in a path; those of the world by default. */
  samples: Partial<Record<Place | 'own', Samples>>;
}

export interface Kind {
  name: string;
  standing: Standing;
  /** Creates the caller; `paths` are the paths it will call, for rows that must exist beforehand. */
  make(world: World, paths: readonly string[]): Promise<Caller>;
}

export const NO_ROLES: Record<Place, Role> = {
  application: 'none',
  organization: 'none',
  instance: 'none',
  instanceOrganization: 'none',
  sandbox: 'none',
};
/** Roles of a user without memberships: admin of their own sandbox. */
export const USER = { ...NO_ROLES, sandbox: 'admin' } as const;
export const EVERYWHERE: Record<Place, Role> = {
  application: 'admin',
  organization: 'admin',
  instance: 'admin',
  instanceOrganization: 'admin',
  sandbox: 'admin',
};

export const standing = (more: Partial<Standing> = {}): Standing => ({
  subject: 'user',
  inPerson: true,
  scopes: ['all.User'],
  roles: USER,
  ...more,
});

/** Creates a new world in the platform of `beside`. */
export async function makeWorld(test: TestApp, beside?: World): Promise<World> {
  const owner = await makeUser(test);
  const samples = beside?.samples ?? new Samples(test, owner);
  return { test, owner, samples: samples.of(owner, 'organization') };
}

export const organizationOf = ({ samples }: World) => samples.idOf('/orgs/{orgId}');
export const applicationOf = ({ samples }: World) => samples.idOf('/applications/{applicationId}');
export const instanceOf = ({ samples }: World) => samples.idOf('/instances/{instanceId}');

/** Returns a caller with the user's session and own account rows. */
export const inPerson = ({ samples }: World, user: TestUser): Caller => ({
  token: user.token,
  user,
  samples: { own: samples.of(user) },
});

export type Owner = { type: 'user' | 'application' | 'instance'; id: string };

/** Creates an API token as the platform would, but with any properties. */
export async function apiToken(
  test: TestApp,
  owner: Owner,
  scope: readonly string[],
  row: Partial<ApiToken> = {},
  claims: { ownerType?: Claims['ownerType'] } = owner.type === 'user' ? {} : { ownerType: owner.type },
): Promise<string> {
  const id = newId();
  const now = new Date();
  const token = test.app.get(TokenSigner).sign({ sub: owner.id, scope, jti: id, ...claims }, {});
  await test.dataSource.manager.insert(ApiToken, {
    id,
    name: 'token',
    ownerId: owner.id,
    ownerType: owner.type,
    creatorId: owner.id,
    creatorType: 'user',
    scope: [...scope],
    status: 'active',
    creationDate: now,
    lastUpdated: now,
    tokenHash: sha256(token),
    ...row,
  });
  return token;
}
