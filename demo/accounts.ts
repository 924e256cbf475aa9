import { hkdfSync } from 'node:crypto';
import { withDatabase } from '../src/cli/database.js';
import { choosePassword, createUser } from '../src/cli/users.js';
import type { Config } from '../src/config/config.js';
import { loadSecretsKey } from '../src/lib/crypto/keys.js';
import { User } from '../src/modules/accounts/users/user.entity.js';
import { RequestError, type Client, type Item } from './client.js';

export interface Person {
  email: string;
  firstName: string;
  lastName: string;
  role: string;
  /** Name of an application on which the person has the role `view`. */
  application?: string;
}

/**
 * Creates the accounts that do not exist, as `npm run admin` does, because the API has no operation for it. Returns
 * their password: the given one, or one that derives from the instance's key, so that every run knows it.
 */
export async function createAccounts(
  config: Config,
  people: readonly Person[],
  given?: string,
): Promise<string> {
  const password = choosePassword(given ?? derivedPassword(config)).text;
  await withDatabase(config, async (dataSource) => {
    for (const { email, firstName, lastName } of people) {
      if (await dataSource.manager.existsBy(User, { email })) continue;
      await createUser(dataSource, { email, firstName, lastName, password });
    }
  });
  return password;
}

function derivedPassword({ SECRETS_KEY: configured, dataDir }: Config): string {
  const key = loadSecretsKey({ configured, dataDir });
  return `Demo-${Buffer.from(hkdfSync('sha256', key, '', 'password of the demo', 12)).toString('base64url')}-1`;
}

/** Invites people who are neither members nor invited yet. */
export async function invite(
  admin: Client,
  orgId: string,
  people: readonly Pick<Person, 'email' | 'role' | 'application'>[],
  applicationIds: ReadonlyMap<string, string>,
): Promise<void> {
  const { members } = await admin.get<{ members: Item[] }>(`/orgs/${orgId}`);
  const invites = await admin.list(`/orgs/${orgId}/invites`);
  const known = new Set([...members, ...invites].map(({ email }) => email));
  for (const { email, role, application } of people) {
    if (known.has(email)) continue;
    const resourceId = application && applicationIds.get(application);
    const applicationRoles = resourceId ? [{ resourceId, role: 'view' }] : [];
    await admin.post(`/orgs/${orgId}/invites`, { email, role, applicationRoles });
  }
}

/** Accepts the invitation of a user to the organization, if there is one. */
export async function acceptInvite(user: Client, orgName: string): Promise<void> {
  const invitation = (await user.list('/me/invites')).find((one) => one.orgName === orgName);
  if (invitation) await user.post(`/me/invites/${invitation.id as string}`, { action: 'accept' });
}

/** Explains a refused sign-in. */
export function signInError(error: unknown, email: string): Error {
  if (!(error instanceof RequestError) || error.status !== 401) return error as Error;
  return new Error(
    `${email} has another password, or the platform uses another DATA_DIR. Set DEMO_PASSWORD to the password, or set a ` +
      `new one with "npm run admin -- user set-password ${email}".`,
  );
}
