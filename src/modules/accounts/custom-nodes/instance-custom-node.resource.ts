import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { Entity, ForeignKey, Index } from 'typeorm';
import { AuthoredResource } from '../../../platform/repositories/authored.js';
import {
  AliasField,
  ChoiceField,
  IdField,
  JsonField,
  StringField,
  type JsonSchema,
} from '../../../platform/fields/fields.js';
import { countSchema } from '../../../platform/fields/schema.js';
import { pageOf } from '../../../platform/lists/page.js';
import type { CustomNodeConfig, FlowNode, FlowTrigger } from '../../../workflows/graph/graph.js';
import {
  CATEGORIES,
  CATEGORY,
  CUSTOM_NODE_CONFIG,
  CUSTOM_NODE_SUPPORTS,
  ICON_DATA_PATTERN,
  MINIMUM_AGENT_VERSION_PATTERN,
  NODES,
  TRIGGERS,
} from '../../../workflows/graph/graph.schemas.js';
import { Instance } from '../instances/instance.resource.js';

const STATS: JsonSchema = {
  title: 'CustomNodeRunCounts',
  type: 'object',
  description: 'Runs of the last 24 hours. Always 0: runs are recorded per workflow.',
  properties: {
    runCount: countSchema('Number of runs of workflows with the node.', 2),
    errorCount: countSchema('Number of these runs that ended with an error.', 2),
  },
};

const USERS = {
  appCount: countSchema('Number of applications with workflows that use the node.', 2),
  flowCount: countSchema('Number of workflows that use the node, in any version.', 2),
};
const USAGE: JsonSchema = {
  title: 'CustomNodeUsage',
  type: 'object',
  description: 'Usage per organization, by organization ID.',
  properties: {
    sandbox: {
      title: 'CustomNodeSandboxUsage',
      type: 'object',
      description: 'Usage by applications that are owned by users.',
      properties: USERS,
    },
  },
  additionalProperties: {
    title: 'CustomNodeOrgUsage',
    type: 'object',
    description: 'Usage by the applications of an organization.',
    properties: {
      orgName: { type: 'string', description: 'Name of the organization.', example: 'North Field' },
      orgIconColor: { type: 'string', description: "Color of the organization's icon.", example: '#2f6f4f' },
      ...USERS,
    },
  },
};

/** Custom node that all applications of an instance can use. */
@ApiSchema({
  name: 'InstanceCustomNode',
  description: 'A custom node that all applications of an instance can use.',
})
@Entity('instance_custom_nodes')
@Index('instance_custom_nodes_by_instance', ['instanceId', 'id'])
@Index('instance_custom_nodes_by_name', ['instanceId', 'name', 'id'])
@Index('instance_custom_nodes_by_creation', ['instanceId', 'creationDate', 'id'])
@Index('instance_custom_nodes_by_change', ['instanceId', 'lastUpdated', 'id'])
export class InstanceCustomNode extends AuthoredResource {
  @AliasField('custom node')
  instanceCustomNodeId: string;

  @ForeignKey(() => Instance, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'ID of the instance that the custom node belongs to.' })
  instanceId: string;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Display name, shown in the palette.',
    example: 'Average',
  })
  name: string;

  @StringField({
    maxLength: 32767,
    description: 'Description of the node, as free text.',
    example: 'The mean of a list of numbers',
  })
  description?: string;

  @StringField({
    maxLength: 1024,
    description: 'Description of the node in one line.',
    example: 'Averages a list',
  })
  shortDescription?: string;

  @JsonField(TRIGGERS, {
    required: true,
    example: [{ type: 'customNodeStart', outputIds: [['end']] }],
    description: 'Exactly one trigger, of type `customNodeStart`.',
  })
  triggers: readonly FlowTrigger[];

  @JsonField(NODES, {
    required: true,
    description: 'Nodes that the custom node executes.',
    example: [{ id: 'end', type: 'CustomNodeCapNode' }],
  })
  nodes: readonly FlowNode[];

  @JsonField(CUSTOM_NODE_CONFIG, { description: 'Inputs and outputs of the custom node.' })
  customNodeConfig?: CustomNodeConfig;

  @JsonField(CUSTOM_NODE_SUPPORTS, {
    description: 'Classes of workflows in which the node can run.',
    example: ['cloud'],
  })
  customNodeSupports?: string[];

  @StringField({
    pattern: MINIMUM_AGENT_VERSION_PATTERN,
    description: 'Minimum version of the edge agent that can run the node.',
    example: '1.0.0',
  })
  minimumAgentVersion?: string;

  @ChoiceField(CATEGORIES, {
    description: 'Section of the palette in which the node appears.',
  })
  category?: string;

  @StringField({
    maxLength: 32767,
    pattern: ICON_DATA_PATTERN,
    description: 'Icon of the node, as a data URL.',
    example: 'data:image/png;base64,iVBORw0KGgo=',
  })
  iconData?: string;

  @StringField({
    maxLength: 1024,
    description: 'URL of the documentation of the node.',
    example: 'https://example.com/nodes/average',
  })
  docsUrl?: string;

  @IdField({
    column: false,
    description: 'ID of the application whose custom node this node was created from, if any.',
  })
  sourceApplicationId?: string;

  @IdField({
    column: false,
    description: 'ID of the custom node workflow that this node was created from, if any.',
  })
  sourceFlowId?: string;

  @StringField({
    column: false,
    minLength: 1,
    maxLength: 255,
    description: 'Version of the custom node workflow that this node was created from, if any.',
    example: '1.4.0',
  })
  sourceFlowVersion?: string;

  @JsonField(STATS, { column: false, description: 'Runs of the last 24 hours.' })
  stats?: object;

  @JsonField(USAGE, { column: false, description: 'Usage across the organizations of the instance.' })
  usage?: object;
}

class InstanceCustomNodeChanges extends PickType(InstanceCustomNode, [
  'name',
  'description',
  'shortDescription',
  'triggers',
  'nodes',
  'customNodeConfig',
  'customNodeSupports',
  'minimumAgentVersion',
  'docsUrl',
]) {
  @JsonField(CATEGORY, {
    column: false,
    description: 'Section of the palette in which the node appears. An empty string removes it.',
    example: 'logic',
  })
  category?: string;

  @StringField({
    column: false,
    maxLength: 32767,
    pattern: ICON_DATA_PATTERN,
    nullable: true,
    description: 'Icon of the node, as a data URL. `null` removes it.',
    example: 'data:image/png;base64,iVBORw0KGgo=',
  })
  iconData?: string | null;
}

@ApiSchema({ name: 'InstanceCustomNodePost', description: 'A custom node of an instance to create.' })
export class InstanceCustomNodePost extends InstanceCustomNodeChanges {}

@ApiSchema({
  name: 'InstanceCustomNodePatch',
  description:
    'Changes to a custom node. Omitted properties keep their value. Arrays are replaced, not merged.',
})
export class InstanceCustomNodePatch extends PartialType(InstanceCustomNodeChanges) {}

export const InstanceCustomNodes = pageOf(InstanceCustomNode, 'InstanceCustomNodes', ['instanceId']);
