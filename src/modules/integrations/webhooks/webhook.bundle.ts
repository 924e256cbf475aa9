import { bundled } from '../../../platform/bundles/bundled.js';
import { WebhookPost, WEBHOOKS } from './webhook.resource.js';
import { newToken, newWebhook } from './webhook.rules.js';

/** Webhooks in a bundle, without codes and passwords. An import generates a new token. */
export const BUNDLED_WEBHOOKS = bundled({
  holding: WEBHOOKS,
  resourceType: 'Webhook',
  placeholderWord: 'webhook',
  place: { file: () => 'webhooks' },
  post: WebhookPost,
  generated: { token: { placeholderWord: 'webhookToken', generate: newToken } },
  row: (body, { id, secrets }) => newWebhook(id, body, secrets),
});
