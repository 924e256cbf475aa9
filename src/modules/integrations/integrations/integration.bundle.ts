import { bundled } from '../../../platform/bundles/bundled.js';
import { INTEGRATION_CONFIGS } from './integration.configs.js';
import { IntegrationPost, INTEGRATIONS } from './integration.resource.js';
import { newConfig } from './integration.rules.js';

/**
 * Integrations in a bundle, without their secrets. An import creates them disabled. It keeps existing secrets unless it
 * changes their destination.
 */
export const BUNDLED_INTEGRATIONS = bundled({
  holding: INTEGRATIONS,
  resourceType: 'Integration',
  placeholderWord: 'integration',
  place: { file: () => 'integrations' },
  post: IntegrationPost,
  // The body requires the token, which bundles do not contain.
  converters: { particleConfig: (config) => ({ accessToken: null, ...(config as object) }) },
  newOnly: ['secretsSealed'],
  resets: (before, row) =>
    before.integrationType !== row.integrationType ||
    INTEGRATION_CONFIGS.changesDestination(before.integrationType, before, row),
  row(body, { id, secrets: box }) {
    const { integrationType: type } = body;
    const config = { ...newConfig(type, body), secrets: {} };
    return { ...body, enabled: false, ...INTEGRATION_CONFIGS.columns(id, type, config, box) };
  },
});
