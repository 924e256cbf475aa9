import { bundled } from '../../../platform/bundles/bundled.js';
import { IntegrationPatch, INTEGRATIONS } from './integration.resource.js';
import { integrationWithoutSecrets } from './integration.rules.js';

/** Integrations in a bundle, without their secrets. An import creates them disabled and keeps existing secrets. */
export const BUNDLED_INTEGRATIONS = bundled({
  holding: INTEGRATIONS,
  resourceType: 'Integration',
  placeholderWord: 'integration',
  place: { file: () => 'integrations' },
  post: IntegrationPatch,
  additional: ['integrationType'],
  // The body requires the token, which bundles do not contain.
  converters: { particleConfig: (config) => ({ accessToken: null, ...(config as object) }) },
  newOnly: ['secretsSealed'],
  row: (body, { id, secrets }) => integrationWithoutSecrets(id, body, secrets),
});
