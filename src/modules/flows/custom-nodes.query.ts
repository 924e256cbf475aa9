import { QueryBoolean } from '../../platform/list/query-fields.js';

/** The query of operations on single workflows and versions. */
export class CustomNodesQuery {
  @QueryBoolean({
    description:
      'Accepted, and the answer is the same with and without: nodes name the custom nodes that they execute, and the palette of the application has the details of these.',
    default: false,
  })
  includeCustomNodes: boolean;
}
