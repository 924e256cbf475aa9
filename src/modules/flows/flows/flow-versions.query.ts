import { listQuery, QueryBoolean } from '../../../platform/lists/query-fields.js';
import { CustomNodesQuery } from './custom-nodes.query.js';
import { FLOW_VERSION_QUERY } from './flow-queries.js';

export class FlowVersionsQuery extends listQuery(
  {
    sort: ['version', 'id', 'creationDate', 'lastUpdated'],
    defaultSort: 'version',
    defaultDirection: 'asc',
    perPage: 100,
    filter: ['version'],
    query: FLOW_VERSION_QUERY,
  },
  CustomNodesQuery,
) {}

export class FlowVersionsPostQuery extends CustomNodesQuery {
  @QueryBoolean({
    description:
      'Whether to replace an existing version with the same name. Versions of custom nodes are never replaced.',
    default: false,
  })
  allowReplacement: boolean;
}
