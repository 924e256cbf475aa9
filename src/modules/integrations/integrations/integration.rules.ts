import type { SecretBox } from '../../../lib/crypto/secrets.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { SealedColumn } from '../../../platform/sealed/sealed-column.js';
import { mergeConfig, type Config, type SplitConfig } from '../../../platform/sealed/sealed-config.js';
import { CONFIGS, INTEGRATION_TYPES, secretsOf, type IntegrationType } from './integration.configs.js';
import type { Integration, IntegrationPatch } from './integration.resource.js';

/** Secrets of an integration's configuration. */
export const SECRETS_SEALED = new SealedColumn('integrations:secrets_sealed');

/** The configuration of an integration or of a body, in the property of its type. */
const configsOf = (of: object): Partial<Record<`${IntegrationType}Config`, Config>> => of;

/** Returns the stored configuration of an integration. */
export const storedConfig = (row: Integration, box: SecretBox): SplitConfig => ({
  shown: configsOf(row)[`${row.integrationType}Config`] ?? {},
  secrets: SECRETS_SEALED.openSecrets(row.id, row.secretsSealed, box),
});

/**
 * Returns the configuration that results from a body: the given one with the secrets stored so far, unless the body sets
 * them. Throws `400` for the configuration of another type, and for a new integration without any.
 */
export function configFrom(type: IntegrationType, body: IntegrationPatch, before?: SplitConfig): SplitConfig {
  const configs = configsOf(body);
  const other = INTEGRATION_TYPES.find((each) => each !== type && configs[`${each}Config`] !== undefined);
  if (other)
    throw new ValidationError(
      `integration.${other}Config does not apply to an integration of the type ${type}`,
    );
  const given = configs[`${type}Config`];
  if (given) return mergeConfig({ shown: {}, secrets: before?.secrets ?? {} }, given, secretsOf(type));
  if (!before) throw new ValidationError(`integration.${type}Config is required`);
  return before;
}

/** Throws `400` if the configuration lacks a property that neither the schema nor the credential provides. */
export function assertComplete(
  type: IntegrationType,
  { shown, secrets }: SplitConfig,
  credentialName?: string | null,
): void {
  const { alsoRequired = [], inline = [], credential } = CONFIGS[type];
  if (credentialName && !credential)
    throw new ValidationError(
      `integration.credentialName does not apply to an integration of the type ${type}`,
    );
  const whole = { ...shown, ...secrets };
  const needed = credentialName ? credential!.required : inline;
  const missing = [...alsoRequired, ...needed].find((name) => whole[name] === undefined);
  if (missing) throw new ValidationError(`integration.${type}Config.${missing} is required`);
  // The URL can be a template over the globals of the application.
  if (type === 'websocket' && !/^(wss?:\/\/|\{\{)/i.test(String(shown.url)))
    throw new ValidationError('integration.websocketConfig.url must begin with ws:// or wss://');
}

/** Returns the columns that store a configuration. */
export const configColumns = (
  id: string,
  type: IntegrationType,
  { shown, secrets }: SplitConfig,
  box: SecretBox,
) => ({ [`${type}Config`]: shown, secretsSealed: SECRETS_SEALED.sealSecrets(id, secrets, box) });

/** Returns the columns of an imported integration. It is disabled, and users add its secrets with an update. */
export function integrationWithoutSecrets(
  id: string,
  body: IntegrationPatch & Partial<Pick<Integration, 'integrationType'>>,
  box: SecretBox,
) {
  const { name, integrationType: type } = body;
  if (name === undefined) throw new ValidationError('integration.name is required');
  if (!type || !INTEGRATION_TYPES.includes(type))
    throw new ValidationError(`integration.integrationType must be one of ${INTEGRATION_TYPES.join(', ')}`);
  const { shown } = configFrom(type, body);
  return {
    ...body,
    name,
    integrationType: type,
    enabled: false,
    ...configColumns(id, type, { shown, secrets: {} }, box),
  };
}
