import { ValidationError } from '../../../lib/errors/errors.js';
import type { SplitConfig } from '../../../platform/sealed/sealed-config.js';
import { CONFIGS, INTEGRATION_CONFIGS, type IntegrationType } from './integration.configs.js';
import type { IntegrationPatch } from './integration.resource.js';

/**
 * Returns the configuration that replaces the stored one: that of the body, with the stored secrets that it omits. Throws
 * `400` if it omits secrets and changes their destination.
 */
export function replacedConfig(
  type: IntegrationType,
  patch: IntegrationPatch,
  before: SplitConfig,
): SplitConfig {
  const given = INTEGRATION_CONFIGS.given(type, patch);
  if (!given) return before;
  return INTEGRATION_CONFIGS.replaced(type, before, given);
}

/** Returns the configuration of a new integration. Throws `400` if the body has none, or that of another type. */
export function newConfig(type: IntegrationType, body: object): SplitConfig {
  return INTEGRATION_CONFIGS.merged(
    type,
    { shown: {}, secrets: {} },
    INTEGRATION_CONFIGS.required(type, body),
  );
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
