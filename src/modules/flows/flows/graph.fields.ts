import { JsonField, StringField } from '../../../platform/fields/fields.js';
import {
  FLOW_GLOBALS,
  MINIMUM_AGENT_VERSION_PATTERN,
  NODES,
  TRIGGERS,
} from '../../../workflows/graph/graph.schemas.js';

/** Declares the properties of a graph, which are the same in workflows and in their versions. */
export const GraphField = {
  triggers: JsonField(TRIGGERS, { required: true, description: 'Triggers that start a run.' }),
  nodes: JsonField(NODES, { required: true, description: 'Nodes that a run executes.' }),
  globals: JsonField(FLOW_GLOBALS, { required: true, description: 'Constants that the nodes can read.' }),
  minimumAgentVersion: StringField({
    pattern: MINIMUM_AGENT_VERSION_PATTERN,
    description: 'Minimum agent version that can run the workflow. Edge and embedded workflows only.',
    example: '1.0.0',
  }),
};
