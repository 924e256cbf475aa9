import { QueryBoolean } from '../../../platform/lists/query-fields.js';

export class LinkedResourcesQuery {
  @QueryBoolean({
    description:
      'Accepted for compatibility and has no effect: workflows always include the custom nodes that refer to the credential.',
    default: false,
  })
  includeCustomNodes: boolean;
}
