import jwt from 'jsonwebtoken';
import { generateKeyPairSync } from 'node:crypto';
import { ApiToken } from '../../../src/modules/accounts/api-tokens/api-token.resource.js';
import { InstanceMember } from '../../../src/modules/accounts/instance-members/instance-member.resource.js';
import { Org, OrgMember } from '../../../src/modules/accounts/orgs/org.resource.js';
import { User } from '../../../src/modules/accounts/users/user.entity.js';
import type { ResourceRole } from '../../../src/platform/access/resource-roles.js';
import { sha256 } from '../../../src/lib/crypto/hashes.js';
import { ROLES, type Role } from '../../../src/platform/operations/operation.js';
import { newId } from '../../../src/platform/repositories/resource.js';
import { TokenSigner } from '../../../src/platform/access/token-signer.js';
import { makeUser, tokenOf } from '../../make/make.js';
import {
  apiToken,
  applicationOf,
  inPerson,
  instanceOf,
  organizationOf,
  standing,
  USER,
  type Kind,
  type World,
} from './callers.js';
import type { Standing } from './expectation.js';

const SECOND_FACTOR = 'requires two-factor authentication: enable it first';
const INVALID = 'Invalid access token';

// Callers without a valid token

const refused = (
  name: string,
  token: (world: World) => string | undefined | Promise<string | undefined>,
  message = INVALID,
): Kind => ({
  name,
  standing: standing({ refused: message }),
  make: async (world) => ({ token: await token(world), user: world.owner, samples: {} }),
});

const OTHER_KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const claimsOf = ({ owner }: World) => ({ sub: owner.id, scope: ['all.User'] });
const LIFE = { issuer: 'fieldwright', expiresIn: 3600 } as const;

export const REFUSED: readonly Kind[] = [
  refused('nobody', () => undefined),
  refused('garbage', () => 'garbage'),
  refused('a token signed with another key', (world) =>
    jwt.sign(claimsOf(world), OTHER_KEY, { ...LIFE, algorithm: 'ES256' }),
  ),
  refused('an unsigned token', (world) => jwt.sign(claimsOf(world), '', { ...LIFE, algorithm: 'none' })),
  refused('a token signed with the public key as an HMAC secret', (world) => {
    const key = world.test.app.get(TokenSigner).publicKey.export({ type: 'spki', format: 'pem' });
    return jwt.sign(claimsOf(world), sha256(String(key)), { ...LIFE, algorithm: 'HS256' });
  }),
  refused(
    'an expired token',
    ({ test, owner }) => tokenOf(test, owner.id, ['all.User'], -1),
    'Access token has expired',
  ),
  refused('a token of an unknown user', ({ test }) => tokenOf(test, newId())),
  refused('a deleted user', async ({ test }) => {
    const days = new Date(Date.now() + 86_400_000);
    return (await makeUser(test, { permanentDeletion: days, dataDeletion: days })).token;
  }),
  refused('a session that was signed out', async ({ test }) => {
    const { id, token } = await makeUser(test);
    await test.dataSource.manager.update(User, { id }, { tokenCutoff: new Date(Date.now() + 1000) });
    return token;
  }),
  refused('an inactive token', async ({ test, owner }) =>
    apiToken(test, { type: 'user', id: owner.id }, ['all.User'], { status: 'inactive' }),
  ),
  refused('a revoked token', async ({ test, owner }) => {
    const token = await apiToken(test, { type: 'user', id: owner.id }, ['all.User']);
    await test.dataSource.manager.delete(ApiToken, { tokenHash: sha256(token) });
    return token;
  }),
  refused('an application’s token that claims to be a user’s', async (world) => {
    const id = await applicationOf(world);
    return apiToken(world.test, { type: 'application', id }, ['all.User'], {}, { ownerType: undefined });
  }),
  refused('a session that claims to be an instance', async (world) => {
    const sub = await instanceOf(world);
    const claims = { sub, ownerType: 'instance', scope: ['all.Instance'] } as const;
    return world.test.app.get(TokenSigner).sign(claims, { ttl: 3600, issuedAt: new Date() });
  }),
];

// Members of the organization

const member = (
  name: string,
  roles: { application: Role; organization: Role },
  given: Partial<Pick<OrgMember, 'role'>> & { applicationRole?: ResourceRole['role'] },
): Kind => ({
  name,
  standing: standing({ roles: { ...USER, ...roles } }),
  make: async (world) => {
    const { test } = world;
    const user = await makeUser(test);
    const { role = 'none', applicationRole } = given;
    const applicationRoles = applicationRole
      ? [{ resourceId: await applicationOf(world), role: applicationRole }]
      : [];
    await test.dataSource.manager.insert(OrgMember, {
      orgId: await organizationOf(world),
      userId: user.id,
      role,
      applicationRoles,
      creationDate: new Date(),
    });
    return inPerson(world, user);
  },
});

/** An administrator of an organization that is modified by `change`. */
const administratorOf = (name: string, change: Partial<Org>, more: Partial<Standing>): Kind => ({
  name,
  standing: standing(more),
  make: async (world, paths) => {
    const { test } = world;
    const user = await makeUser(test);
    const samples = world.samples.of(user, 'organization');
    const own = paths.filter((path) => /^\/(applications|orgs)\/\{/.test(path));
    const orgId = await samples.idOf('/orgs/{orgId}');
    for (const path of own) await samples.idsOf(path);
    await test.dataSource.manager.update(Org, { id: orgId }, change);
    // A new token, because the first one is cached with the state before the change.
    const token = tokenOf(test, user.id, ['all.User'], 7200);
    return { token, user, samples: { application: samples, organization: samples, own: samples } };
  },
});

const FROZEN: Partial<Standing> = {
  roles: { ...USER, application: 'admin', organization: 'admin' },
  frozen: ['application', 'organization'],
};

export const MEMBERS: readonly Kind[] = [
  ...ROLES.map((role) =>
    member(`a member with the role ${role}`, { application: role, organization: role }, { role }),
  ),
  ...(['none', 'view', 'collaborate'] as const).flatMap((role) => [
    member(
      `a member without a role, but ${role} on the application`,
      { application: role, organization: 'none' },
      { applicationRole: role },
    ),
    member(
      `an admin with ${role} on the application`,
      { application: role, organization: 'admin' },
      { role: 'admin', applicationRole: role },
    ),
  ]),
  administratorOf('an admin of a read-only organization', { isReadOnly: true }, FROZEN),
  administratorOf('an admin of a disabled organization', { disabledAt: new Date(0) }, FROZEN),
  administratorOf(
    'an admin without the second factor that the organization requires',
    { mfaMode: 'adminRequired' },
    {
      locked: { application: `Application ${SECOND_FACTOR}`, organization: `Organization ${SECOND_FACTOR}` },
    },
  ),
];

// Others

export const OTHERS: readonly Kind[] = [
  {
    name: 'a user without membership',
    standing: standing(),
    make: async (world) => inPerson(world, await makeUser(world.test)),
  },
  {
    name: 'an admin of another organization',
    standing: standing(),
    make: async (world) => {
      const user = await makeUser(world.test);
      const other = world.samples.of(user, 'organization');
      await other.idsOf('/applications/{applicationId}');
      return inPerson(world, user);
    },
  },
  {
    name: 'the owner of the sandbox',
    standing: standing({ roles: { ...USER, application: 'admin' }, inSandbox: true }),
    make: async (world) => {
      const caller = inPerson(world, await makeUser(world.test));
      return { ...caller, samples: { ...caller.samples, application: caller.samples.own } };
    },
  },
  {
    name: 'a user who does not own the sandbox',
    standing: standing(),
    make: async (world) => {
      const caller = inPerson(world, await makeUser(world.test));
      return { ...caller, samples: { ...caller.samples, application: world.samples.of(world.owner) } };
    },
  },
  ...(['admin', 'view'] as const).map((role) => ({
    name: `a member of the instance with the role ${role}`,
    standing: standing({ roles: { ...USER, instance: role, instanceOrganization: role } }),
    make: async (world: World) => {
      const user = await makeUser(world.test);
      const instanceId = await instanceOf(world);
      await world.test.dataSource.manager.insert(InstanceMember, { instanceId, userId: user.id, role });
      return inPerson(world, user);
    },
  })),
  {
    name: 'an admin of another instance',
    standing: standing(),
    make: async (world) => {
      const user = await makeUser(world.test);
      await world.samples.of(user).insertInstance();
      return inPerson(world, user);
    },
  },
];
