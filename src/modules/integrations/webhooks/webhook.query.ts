import { QueryBoolean } from '../../../platform/lists/query-fields.js';

export class WebhookDeleteQuery {
  @QueryBoolean({
    description: 'Whether to also delete the workflows that the webhook triggers.',
    default: false,
  })
  includeWorkflows: boolean;
}
