import { QueryBoolean } from '../../../platform/lists/query-fields.js';

/** Query parameters of operations that return workflows or versions. */
export class CustomNodesQuery {
  @QueryBoolean({
    description:
      "Whether to include the custom nodes that the workflows execute. If set, the response contains the application's custom nodes as `customNodes`, and their executed versions as `customNodeVersions`. Custom nodes of the instance are not included; they are in the palette.",
    default: false,
  })
  includeCustomNodes: boolean;
}
