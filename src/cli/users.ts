import { IsNull, type DataSource } from 'typeorm';
import { newPassword } from '../first-start.js';
import { SsoDomain } from '../modules/accounts/auth/auth.resource.js';
import { InstanceMember } from '../modules/accounts/instance-members/instance-member.resource.js';
import { Instance } from '../modules/accounts/instances/instance.resource.js';
import { NEXT_CUTOFF } from '../modules/accounts/users/user.columns.js';
import { User } from '../modules/accounts/users/user.entity.js';
import { NEW_PASSWORD } from '../modules/accounts/users/user.rules.js';
import { MAX_INSTANCES } from '../platform/access/memberships.js';
import { canonicalAddress, domainOf } from '../lib/mail/addresses.js';
import { accountPasswords } from '../lib/crypto/passwords.js';
import { violatedUnique } from '../platform/database/database.js';
import { DEFAULT_LIMITS } from '../platform/holdings/limits.js';
import { newId } from '../platform/repositories/resource.js';

const MAX_TEXT_LENGTH = 1024;
const MAX_PASSWORD_LENGTH = 2048;

/** A password, and whether it was generated: a generated password must be shown, because it is stored nowhere else. */
export interface ChosenPassword {
  text: string;
  isGenerated: boolean;
}

export interface NewUser {
  /** In canonical form (lower case). */
  email: string;
  password: string;
  firstName?: string;
  lastName?: string;
  /** Whether the user becomes an administrator of every instance. */
  instanceAdmin?: boolean;
}

/**
 * Returns the canonical form of an e-mail address. Throws an error with a message for the operator if it is invalid.
 */
export function canonicalEmail(text: string): string {
  const email = canonicalAddress(text);
  if (email === undefined) throw new Error(`"${text}" is not an email address.`);
  return email;
}

/**
 * Returns the given password, validated by the rule of the API, or generates one. Throws an error with a message for
 * the operator.
 */
export function choosePassword(given: string | undefined): ChosenPassword {
  if (given === undefined) return { text: newPassword(), isGenerated: true };
  if (given.length > MAX_PASSWORD_LENGTH || !new RegExp(NEW_PASSWORD, 'u').test(given)) {
    throw new Error(
      'The password must have 12 characters or more, with upper and lower case, a digit and a symbol.',
    );
  }
  return { text: given, isGenerated: false };
}

/** Validates a first or last name by the rule of the API. Throws an error with a message for the operator. */
export function personName(text: string | undefined): string | undefined {
  if (text === '' || (text?.length ?? 0) > MAX_TEXT_LENGTH) {
    throw new Error(`A name must have 1 to ${MAX_TEXT_LENGTH} characters.`);
  }
  return text;
}

/** Creates a user with a verified address in one transaction and returns the ID. Throws if the user exists. */
export async function createUser(dataSource: DataSource, user: NewUser): Promise<string> {
  const { email, firstName, lastName } = user;
  const passwordHash = await accountPasswords.hash('cli', user.password);
  const userId = newId();
  const now = new Date();
  const row = {
    id: userId,
    email,
    emailVerified: true,
    firstName,
    lastName,
    ssoLinked: false,
    passwordHash,
    passwordLastUpdated: now,
    limits: DEFAULT_LIMITS,
    creationDate: now,
    lastUpdated: now,
  };
  await dataSource.transaction(async (manager) => {
    const [home, ...others] = await manager.find(Instance, { order: { id: 'ASC' } });
    if (!home) throw new Error('There is no instance yet: start the platform once to create it.');
    await manager.insert(User, { ...row, instanceId: home.id }).catch((error: unknown) => {
      throw violatedUnique(error) === 'users_email' ? new Error(`The user ${email} already exists.`) : error;
    });
    if (!user.instanceAdmin) return;
    if (others.length >= MAX_INSTANCES)
      throw new Error(
        `There are more than ${MAX_INSTANCES} instances, the maximum that a user can belong to.`,
      );
    const memberships = [home, ...others].map(({ id }) => ({
      instanceId: id,
      userId,
      role: 'admin' as const,
    }));
    await manager.insert(InstanceMember, memberships);
  });
  return userId;
}

/**
 * Sets a new password and revokes existing session tokens; API tokens remain valid. If single sign-on was removed from
 * the domain of the user, the user can sign in with the password afterwards. Throws an error with a message for the
 * operator.
 */
export async function setPassword(dataSource: DataSource, email: string, password: string): Promise<void> {
  const passwordHash = await accountPasswords.hash('cli', password);
  await dataSource.transaction(async (manager) => {
    const user = await manager.findOneBy(User, { email, permanentDeletion: IsNull() });
    if (!user) throw new Error(`The user ${email} does not exist.`);
    const domain = domainOf(email);
    if (user.ssoLinked && (await manager.existsBy(SsoDomain, { domain }))) {
      throw new Error(`${email} signs in through the identity provider of ${domain} and has no password.`);
    }
    const now = new Date();
    const changes = {
      passwordHash,
      passwordLastUpdated: now,
      tokenCutoff: () => NEXT_CUTOFF,
      lastUpdated: now,
      ssoLinked: false,
    };
    await manager.update(User, { id: user.id }, changes);
  });
}
