import { QueryBoolean } from '../../../platform/lists/query-fields.js';

/** The query of operations that answer with workflows or versions. */
export class CustomNodesQuery {
  @QueryBoolean({
    description:
      'Whether the answer also has the custom nodes of the application that its nodes execute, as `customNodes`, and the versions of these that they execute, as `customNodeVersions`. Custom nodes of the instance are in the palette.',
    default: false,
  })
  includeCustomNodes: boolean;
}
