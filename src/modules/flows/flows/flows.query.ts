import type { ListSpec } from '../../../platform/lists/list-query.js';
import {
  listQuery,
  QueryBoolean,
  QueryChoice,
  QueryJson,
  QueryText,
} from '../../../platform/lists/query-fields.js';
import { CustomNodesQuery } from './custom-nodes.query.js';
import {
  FLOW_BY_VERSION_QUERY,
  FLOW_QUERY,
  FLOW_TRIGGER_FILTER,
  type FlowTriggerFilter,
} from './flow-queries.js';
import { FLOW_CLASSES, type FlowClass } from '../../../workflows/graph/graph.js';

const BY_NAME: ListSpec = {
  sort: ['name', 'id', 'creationDate', 'lastUpdated'],
  defaultSort: 'name',
  defaultDirection: 'asc',
  perPage: 100,
  filter: ['name'],
};

const OVERRIDDEN = 'Ignored with an advanced query.';

/** Query parameters of both lists of an application's workflows. */
class FlowsFilter extends CustomNodesQuery {
  @QueryChoice(FLOW_CLASSES, { description: `Class of the workflows. ${OVERRIDDEN}`, default: 'cloud' })
  flowClass: FlowClass;

  @QueryJson(FLOW_TRIGGER_FILTER, {
    description: `Triggers, of which the default version must have at least one. A trigger with neither type nor key matches any. ${OVERRIDDEN}`,
    example: [{ type: 'webhook' }],
  })
  triggerFilter?: FlowTriggerFilter[];
}

export class FlowsQuery extends listQuery({ ...BY_NAME, query: FLOW_QUERY }, FlowsFilter) {
  @QueryBoolean({
    description:
      'Whether an advanced query matches the triggers and nodes of any version, and not only of the development version.',
    default: false,
  })
  allVersions: boolean;
}

export class FlowsByVersionQuery extends listQuery(
  { ...BY_NAME, query: FLOW_BY_VERSION_QUERY },
  FlowsFilter,
) {
  @QueryText({
    description: 'Name of the versions; `develop` for the development versions.',
    example: 'develop',
    maxLength: 255,
    required: true,
  })
  version: string;
}
