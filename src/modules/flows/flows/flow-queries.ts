import type { JsonSchema } from '../../../platform/fields/fields.js';
import type { QueryFields } from '../../../platform/lists/advanced-query.js';
import type { ListSpec } from '../../../platform/lists/list-query.js';
import { ofWorkflow } from './flow-version.columns.js';
import { FLOW_CLASSES } from '../../../workflows/graph/graph.js';

type Query = NonNullable<ListSpec['query']>;

const COMMON: QueryFields = {
  id: { kind: 'id', column: 't.id' },
  creationDate: { kind: 'date', column: 't.creation_date' },
  lastUpdated: { kind: 'date', column: 't.last_updated' },
  flowClass: { kind: 'string', column: 't.flow_class', values: FLOW_CLASSES },
  enabled: { kind: 'boolean', column: 't.enabled' },
};
const GRAPH: QueryFields = {
  triggers: { kind: 'triggers', column: 't.triggers' },
  nodes: { kind: 'nodes', column: 't.nodes' },
};
const SUPPORTS = ['cloud', 'edge'];

/** Fields of an advanced query of workflows, rows `t` of `flows`. Custom nodes support one class at most. */
export const FLOW_QUERY: Query = {
  name: 'AdvancedFlowQuery',
  example: { flowClass: 'cloud', triggers: { type: 'timer' } },
  fields: {
    ...COMMON,
    ...GRAPH,
    name: { kind: 'string', column: 't.name' },
    defaultVersion: { kind: 'id', column: 't.default_version_id' },
    customNodeSupports: { kind: 'string', column: 't.custom_node_supports->>0', values: SUPPORTS },
  },
};

/** Fields of an advanced query of the versions of one workflow, rows `t` of `flow_versions`. */
export const FLOW_VERSION_QUERY: Query = {
  name: 'AdvancedFlowVersionQuery',
  example: { version: { $startsWith: '1.' }, enabled: true },
  fields: {
    ...COMMON,
    ...GRAPH,
    version: { kind: 'string', column: 't.version' },
    name: { kind: 'string', column: ofWorkflow('name') },
    customNodeSupports: { kind: 'string', column: ofWorkflow('custom_node_supports->>0'), values: SUPPORTS },
  },
};

/** Fields of an advanced query of versions across workflows, rows `t` that include the name of the workflow. */
export const FLOW_BY_VERSION_QUERY: Query = {
  name: 'AdvancedFlowByVersionQuery',
  example: { enabled: true },
  fields: {
    ...COMMON,
    name: { kind: 'string', column: 't.name' },
    flowId: { kind: 'id', column: 't.flow_id' },
  },
};

/** Trigger that the workflows in a list must have. */
export interface FlowTriggerFilter {
  type?: string;
  key?: string;
}

export const FLOW_TRIGGER_FILTER: JsonSchema = {
  title: 'FlowTriggerFilter',
  type: 'array',
  maxItems: 100,
  description:
    'Returns only workflows that have at least one of these triggers. Omitted properties match any value.',
  items: {
    title: 'FlowTriggerFilterItem',
    type: 'object',
    additionalProperties: false,
    description: 'A trigger to match.',
    properties: {
      type: { type: 'string', maxLength: 1024, description: 'Type of the trigger.', example: 'webhook' },
      key: {
        type: 'string',
        maxLength: 1024,
        description: 'Key of the trigger, such as the ID of a webhook.',
        example: '575ec8687ae143cd83dc4a97',
      },
    },
  },
};
