import type { RunPath } from '../engine/node-run.js';
import { invalidSetting } from '../engine/run-error.js';

/**
 * Returns the properties of a credential of the application, including its secrets. Throws a `RunFault` if no enabled
 * credential of this type has the name.
 */
export async function openedCredential(
  { run }: RunPath,
  name: string,
  type: string,
): Promise<Readonly<Record<string, unknown>>> {
  const credential = await run.ports.credentials.opened(run.applicationId, name);
  if (credential?.type !== type || !credential.enabled)
    throw invalidSetting(
      'credentialNameTemplate',
      `must be the name of an enabled credential of type ${type}`,
    );
  return credential.members;
}
