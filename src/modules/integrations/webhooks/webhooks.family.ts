import type { Family } from '../../../platform/families.js';
import { BUNDLED_WEBHOOKS } from './webhook.bundle.js';
import { WEBHOOKS, Webhook } from './webhook.resource.js';
import { WebhooksModule } from './webhooks.module.js';

/** Webhooks: addresses that trigger workflows. */
export const WEBHOOKS_FAMILY: Family = {
  modules: [WebhooksModule],
  entities: [Webhook],
  holdings: [WEBHOOKS],
  bundles: [BUNDLED_WEBHOOKS],
  tag: {
    name: 'webhooks',
    title: 'Webhooks',
    group: 'Workflows',
    resources: ['webhooks', 'webhook'],
    description: 'Webhooks, URLs whose requests trigger workflows.',
  },
};
