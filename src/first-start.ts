import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import type { Config } from './config/config.js';
import { InstanceMember } from './modules/accounts/instance-members/instance-member.resource.js';
import { Instance } from './modules/accounts/instances/instance.resource.js';
import { User } from './modules/accounts/users/user.entity.js';
import { parseAddress } from './lib/mail/addresses.js';
import { accountPasswords } from './lib/crypto/passwords.js';
import { migrate, withoutTimeouts } from './platform/database/migrate.js';
import { DEFAULT_LIMITS } from './platform/holdings/limits.js';
import { assertSecretsKey } from './platform/sealed/assert-secrets-key.js';
import { newId } from './platform/repositories/resource.js';

/** Lock shared by all processes that start on the same database. PostgreSQL identifies advisory locks by number. */
const LOCK = 7_311_952;
const LOCK_INTERVAL_MS = 200;

export interface FirstStart {
  /** `true` if this start created the administrator. */
  wasCreated: boolean;
  adminEmail: string;
  /** Set only if the password was generated rather than configured. */
  password?: string;
}

/**
 * Migrates the database to the current schema and, if it is empty, creates the instance and its administrator. Safe if
 * several processes start concurrently: one does the work, the others wait. Throws if `SECRETS_KEY` is not the key of the
 * database.
 */
export async function prepareDatabase(dataSource: DataSource, config: Config): Promise<FirstStart> {
  const runner = dataSource.createQueryRunner();
  try {
    return await withoutTimeouts(runner, async () => {
      await acquireLock(runner);
      await migrate(runner);
      const { SECRETS_KEY: configured, dataDir } = config;
      const isNewDatabase = !(await dataSource.manager.existsBy(Instance, {}));
      await assertSecretsKey(dataSource.manager, { configured, dataDir }, { isNewDatabase });
      return await createAdministrator(dataSource, config, isNewDatabase);
    });
  } finally {
    // If the connection was lost, PostgreSQL has already released the lock.
    await runner.query('SELECT pg_advisory_unlock($1)', [LOCK]).catch(() => undefined);
    await runner.release();
  }
}

/**
 * Waits for the lock. A statement that waits inside PostgreSQL would hold a snapshot, and a migration that builds an index
 * concurrently waits for all of them.
 */
async function acquireLock(runner: QueryRunner): Promise<void> {
  for (;;) {
    const [{ locked }] = (await runner.query('SELECT pg_try_advisory_lock($1) AS locked', [LOCK])) as [
      { locked: boolean },
    ];
    if (locked) return;
    await delay(LOCK_INTERVAL_MS);
  }
}

async function createAdministrator(
  dataSource: DataSource,
  config: Config,
  isNewDatabase: boolean,
): Promise<FirstStart> {
  const adminEmail = parseAddress(config.ADMIN_EMAIL, 'ADMIN_EMAIL');
  if (!isNewDatabase) return { wasCreated: false, adminEmail };
  const password = config.ADMIN_PASSWORD ?? newPassword();
  const passwordHash = await accountPasswords.hash('first start', password);
  const now = new Date();
  const dates = { creationDate: now, lastUpdated: now };
  await dataSource.transaction(async (manager) => {
    const instanceId = newId();
    const userId = newId();
    await manager.insert(Instance, {
      id: instanceId,
      name: 'Fieldwright',
      allowAuditLogging: true,
      ...dates,
    });
    await manager.insert(User, {
      id: userId,
      instanceId,
      email: adminEmail,
      emailVerified: true,
      ssoLinked: false,
      passwordHash,
      passwordLastUpdated: now,
      limits: DEFAULT_LIMITS,
      ...dates,
    });
    await manager.insert(InstanceMember, { instanceId, userId, role: 'admin' });
  });
  return { wasCreated: true, adminEmail, password: config.ADMIN_PASSWORD ? undefined : password };
}

const CHARACTER_CLASSES = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnopqrstuvwxyz', '23456789', '-_+=.'];
const PASSWORD_LENGTH = 20;

/** Generates a password that is easy to read aloud and satisfies the password rule of the platform. */
export function newPassword(): string {
  const from = (letters: string) => letters[randomInt(letters.length)]!;
  const letters = [
    ...CHARACTER_CLASSES.map(from),
    ...Array.from({ length: PASSWORD_LENGTH - CHARACTER_CLASSES.length }, () =>
      from(CHARACTER_CLASSES.slice(0, 3).join('')),
    ),
  ];
  for (let i = letters.length - 1; i > 0; i--) {
    const j = randomInt(i + 1);
    [letters[i], letters[j]] = [letters[j]!, letters[i]!];
  }
  return letters.join('');
}
