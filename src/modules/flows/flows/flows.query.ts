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

const OVERRIDDEN = 'An advanced query takes its place.';

/** The parameters that both lists of an application's workflows take. */
class FlowsFilter extends CustomNodesQuery {
  @QueryChoice(FLOW_CLASSES, { description: `The class of the workflows. ${OVERRIDDEN}`, default: 'cloud' })
  flowClass: FlowClass;

  @QueryJson(FLOW_TRIGGER_FILTER, {
    description: `Triggers, of which the version that runs has to have one; a trigger with neither type nor key is any. ${OVERRIDDEN}`,
    example: [{ type: 'webhook' }],
  })
  triggerFilter?: FlowTriggerFilter[];
}

export class FlowsQuery extends listQuery({ ...BY_NAME, query: FLOW_QUERY }, FlowsFilter) {
  @QueryBoolean({
    description:
      'Whether an advanced query may find a workflow by the triggers and nodes of any version, not only of the one that is being developed.',
    default: false,
  })
  allVersions: boolean;
}

export class FlowsByVersionQuery extends listQuery(
  { ...BY_NAME, query: FLOW_BY_VERSION_QUERY },
  FlowsFilter,
) {
  @QueryText({
    description: 'The name of the versions; `develop` for those that are being developed.',
    example: 'develop',
    maxLength: 255,
    required: true,
  })
  version: string;
}
