import type { Family } from '../../../platform/families.js';
import { BUNDLED_INTEGRATIONS } from './integration.bundle.js';
import { Integration, INTEGRATIONS } from './integration.resource.js';
import { IntegrationsModule } from './integrations.module.js';

/** Integrations: connections to other services whose messages trigger workflows. */
export const INTEGRATIONS_FAMILY: Family = {
  modules: [IntegrationsModule],
  entities: [Integration],
  holdings: [INTEGRATIONS],
  bundles: [BUNDLED_INTEGRATIONS],
  tag: {
    name: 'integrations',
    title: 'Integrations',
    group: 'Workflows',
    resources: ['integrations', 'integration'],
    description: 'Integrations, which receive messages of other services for workflows.',
  },
};
