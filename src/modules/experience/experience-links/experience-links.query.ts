import { QueryBoolean, QueryText } from '../../../platform/lists/query-fields.js';

/** As of which version of an experience links are told. */
export class LinksQuery {
  @QueryText({
    description: 'The name or the id of the version of the experience.',
    default: 'develop',
    maxLength: 255,
  })
  version: string;

  @QueryBoolean({
    description: 'Whether the custom nodes that the workflows execute stand among them.',
    default: false,
  })
  includeCustomNodes: boolean;
}
