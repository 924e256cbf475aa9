import { randomBytes } from 'node:crypto';
import { InstanceMember } from '../../src/modules/accounts/instance-members/instance-member.resource.js';
import { Instance } from '../../src/modules/accounts/instances/instance.resource.js';
import { OrgMember } from '../../src/modules/accounts/orgs/org.resource.js';
import { User } from '../../src/modules/accounts/users/user.entity.js';
import { hashPassword } from '../../src/lib/crypto/passwords.js';
import { SINGLE_SCOPES } from '../../src/platform/access/scope-names.js';
import type { Role } from '../../src/platform/operations/operation.js';
import { newId } from '../../src/platform/repositories/resource.js';
import { TokenSigner } from '../../src/platform/access/token-signer.js';
import type { TestApp } from '../setup/app.js';

export interface TestUser {
  id: string;
  email: string;
  password: string;
  /** A sign-in token with `all.User`. */
  token: string;
}

export const PASSWORD = 'Battery-Staple-9';
let passwordHash: Promise<string> | undefined;

/** A name that no other test uses. */
export function unique(prefix = 'name'): string {
  return `${prefix}-${randomBytes(6).toString('hex')}`;
}

/** The id of the instance that the first start made; users and organizations of tests stand in it. */
export async function homeInstance(test: TestApp): Promise<string> {
  const home = await test.dataSource.manager.findOneOrFail(Instance, { where: {}, order: { id: 'ASC' } });
  return home.id;
}

/** An instance besides the home one, for tests that change it or count its rows. */
export async function makeInstance(test: TestApp, more: Partial<Instance> = {}): Promise<Instance> {
  const now = new Date();
  const instance = { id: newId(), name: unique('instance'), allowAuditLogging: true, ...more };
  await test.dataSource.manager.insert(Instance, { creationDate: now, lastUpdated: now, ...instance });
  return instance as Instance;
}

/** A user with a verified address, the password `PASSWORD` and a token. */
export async function makeUser(test: TestApp, more: Partial<User> = {}): Promise<TestUser> {
  const now = new Date();
  const user = { id: newId(), email: `${unique('user')}@example.com`, ...more };
  await test.dataSource.manager.insert(User, {
    instanceId: await homeInstance(test),
    creationDate: now,
    lastUpdated: now,
    emailVerified: true,
    ssoLinked: false,
    passwordHash: await (passwordHash ??= hashPassword(PASSWORD)),
    ...user,
  });
  return { id: user.id, email: user.email, password: PASSWORD, token: tokenOf(test, user.id) };
}

/** A sign-in token of a user, with other scopes or another life (seconds) where given. */
export function tokenOf(
  test: TestApp,
  userId: string,
  scope: readonly string[] = ['all.User'],
  ttl = 3600,
): string {
  return test.app.get(TokenSigner).sign({ sub: userId, scope }, { ttl, issuedAt: new Date() });
}

/** The same user with a token for every operation: those that stream are opened by their own names alone. */
export function withEveryScope(test: TestApp, user: TestUser): TestUser {
  return { ...user, token: tokenOf(test, user.id, ['all.User', ...SINGLE_SCOPES]) };
}

/** An application, made over HTTP. */
export async function makeApplication(
  test: TestApp,
  token: string,
  body: Record<string, unknown> = {},
): Promise<any> {
  const answer = await test.client.post('/applications', { name: unique('application'), ...body }, { token });
  if (answer.status !== 201) throw new Error(`No application was made: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** An organization of which the caller is admin, made over HTTP. */
export async function makeOrg(
  test: TestApp,
  token: string,
  body: Record<string, unknown> = {},
): Promise<any> {
  const answer = await test.client.post('/orgs', { name: unique('org'), ...body }, { token });
  if (answer.status !== 201) throw new Error(`No organization was made: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** A user with a role in an organization. Made before their first request, so no process knows them otherwise. */
export async function makeMember(
  test: TestApp,
  orgId: string,
  role: Role,
  more: Partial<OrgMember> = {},
): Promise<TestUser> {
  const user = await makeUser(test);
  await test.dataSource.manager.insert(OrgMember, {
    orgId,
    userId: user.id,
    role,
    creationDate: new Date(),
    ...more,
  });
  return user;
}

/** A user with a role in the home instance, or in that of `more`; made before their first request, as above. */
export async function makeInstanceMember(
  test: TestApp,
  role: InstanceMember['role'],
  more: Partial<User> = {},
): Promise<TestUser & { instanceId: string }> {
  const { instanceId = await homeInstance(test) } = more;
  const user = await makeUser(test, more);
  await test.dataSource.manager.insert(InstanceMember, { instanceId, userId: user.id, role });
  return { ...user, instanceId };
}
