import { bundled } from '../../../platform/bundles/bundled.js';
import { WebhookPost, WEBHOOKS } from './webhook.resource.js';
import { newToken, newWebhook } from './webhook.rules.js';

/** Without codes and passwords; where it is imported, its token is another. */
export const BUNDLED_WEBHOOKS = bundled({
  holding: WEBHOOKS,
  resourceType: 'Webhook',
  word: 'webhook',
  place: { file: () => 'webhooks' },
  post: WebhookPost,
  made: { token: { word: 'webhookToken', make: newToken } },
  row: (body, { id, secrets }) => newWebhook(id, body, secrets),
});
