import { randomBytes } from 'node:crypto';
import { InstanceMember } from '../../src/modules/accounts/instance-members/instance-member.resource.js';
import { Instance } from '../../src/modules/accounts/instances/instance.resource.js';
import { OrgMember } from '../../src/modules/accounts/orgs/org.resource.js';
import { User } from '../../src/modules/accounts/users/user.entity.js';
import { accountPasswords } from '../../src/lib/crypto/passwords.js';
import type { Role } from '../../src/platform/operations/operation.js';
import { newId } from '../../src/platform/repositories/resource.js';
import { TokenSigner } from '../../src/platform/access/token-signer.js';
import type { TestApp } from '../setup/app.js';
import type { Platform } from '../setup/platform.js';

export interface TestUser {
  id: string;
  email: string;
  password: string;
  /** Sign-in token with `all.User`. */
  token: string;
}

export const PASSWORD = 'Battery-Staple-9';
let passwordHash: Promise<string> | undefined;

/** Returns a name that no other test uses. */
export function uniqueName(prefix = 'name'): string {
  return `${prefix}-${randomBytes(6).toString('hex')}`;
}

/** Returns the ID of the instance created at first start, which contains the users and organizations of tests. */
export async function defaultInstance(test: TestApp): Promise<string> {
  const home = await test.dataSource.manager.findOneOrFail(Instance, { where: {}, order: { id: 'ASC' } });
  return home.id;
}

/** Creates another instance, for tests that change an instance or count its contents. */
export async function makeInstance(test: TestApp, more: Partial<Instance> = {}): Promise<Instance> {
  const now = new Date();
  const instance = { id: newId(), name: uniqueName('instance'), allowAuditLogging: true, ...more };
  await test.dataSource.manager.insert(Instance, { creationDate: now, lastUpdated: now, ...instance });
  return instance as Instance;
}

/** Creates a user with a verified address, the password `PASSWORD` and a token. */
export async function makeUser(test: TestApp, more: Partial<User> = {}): Promise<TestUser> {
  const now = new Date();
  const user = { id: newId(), email: `${uniqueName('user')}@example.com`, ...more };
  await test.dataSource.manager.insert(User, {
    instanceId: await defaultInstance(test),
    creationDate: now,
    lastUpdated: now,
    emailVerified: true,
    ssoLinked: false,
    passwordHash: await (passwordHash ??= accountPasswords.hash('test', PASSWORD)),
    ...user,
  });
  return { id: user.id, email: user.email, password: PASSWORD, token: tokenOf(test, user.id) };
}

/** Returns a sign-in token of a user; scopes and lifetime (seconds) can be overridden. */
export function tokenOf(
  test: TestApp,
  userId: string,
  scope: readonly string[] = ['all.User'],
  ttl = 3600,
): string {
  return test.app.get(TokenSigner).sign({ sub: userId, scope }, { ttl, issuedAt: new Date() });
}

/** Creates an application over HTTP. */
export async function makeApplication(
  test: Platform,
  token: string,
  body: Record<string, unknown> = {},
): Promise<any> {
  const answer = await test.client.post(
    '/applications',
    { name: uniqueName('application'), ...body },
    { token },
  );
  if (answer.status !== 201)
    throw new Error(`Could not create an application: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Creates an organization over HTTP, of which the caller is admin. */
export async function makeOrg(
  test: Platform,
  token: string,
  body: Record<string, unknown> = {},
): Promise<any> {
  const answer = await test.client.post('/orgs', { name: uniqueName('org'), ...body }, { token });
  if (answer.status !== 201)
    throw new Error(`Could not create an organization: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Creates a user with a role in an organization before their first request, so no process has cached other roles. */
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

/** Creates a user with a role in the home instance, or that of `more`, before their first request as above. */
export async function makeInstanceMember(
  test: TestApp,
  role: InstanceMember['role'],
  more: Partial<User> = {},
): Promise<TestUser & { instanceId: string }> {
  const { instanceId = await defaultInstance(test) } = more;
  const user = await makeUser(test, more);
  await test.dataSource.manager.insert(InstanceMember, { instanceId, userId: user.id, role });
  return { ...user, instanceId };
}
