import { createHmac } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { hasSecretsKey, loadSecretsKey, type KeySource } from '../../lib/crypto/keys.js';
import { SecretsKeyCheck } from './secrets-key-check.entity.js';

const ROW = { id: 1 };
const ADVICE = 'Restore the key from the backup of the data folder, or set SECRETS_KEY to it.';

/**
 * Requires the key that encrypted the secrets in the database, so that a start without it does not replace it silently.
 * A new database is bound to the configured or newly created key. Throws an error with a message for the operator.
 */
export async function assertSecretsKey(
  manager: EntityManager,
  source: KeySource,
  { isNewDatabase }: { isNewDatabase: boolean },
): Promise<void> {
  if (!isNewDatabase && !hasSecretsKey(source))
    throw new Error(`The key that encrypted the secrets in the database is missing. ${ADVICE}`);
  const digest = createHmac('sha256', loadSecretsKey(source)).update('fieldwright:secrets-key').digest('hex');
  const check = await manager.findOneBy(SecretsKeyCheck, ROW);
  if (check === null) await manager.insert(SecretsKeyCheck, { ...ROW, digest });
  else if (check.digest !== digest)
    throw new Error(`The secrets in the database were encrypted with another key. ${ADVICE}`);
}
