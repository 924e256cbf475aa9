import { QueryBoolean, QueryText } from '../../../platform/lists/query-fields.js';

/** Query parameters that select the version of the experience. */
export class LinksQuery {
  @QueryText({
    description: 'Name or ID of the version of the experience.',
    default: 'develop',
    maxLength: 255,
  })
  version: string;

  @QueryBoolean({
    description: 'Whether to include the custom nodes that the workflows execute.',
    default: false,
  })
  includeCustomNodes: boolean;
}
