import { QueryBoolean } from '../../../platform/lists/query-fields.js';

export class WebhookDeleteQuery {
  @QueryBoolean({
    description: 'Whether the workflows that it triggers are deleted with it.',
    default: false,
  })
  includeWorkflows: boolean;
}
