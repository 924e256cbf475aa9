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

const count = (description: string) => ({ type: 'integer', minimum: 0, description, example: 2 });

const STATS: JsonSchema = {
  title: 'CustomNodeRunCounts',
  type: 'object',
  description: 'Runs of the last 24 hours.',
  properties: {
    runCount: count('Runs.'),
    errorCount: count('Runs that an error ended.'),
  },
};

const USERS = {
  appCount: count('Applications with workflows that use it.'),
  flowCount: count('Workflows that use it, in any version.'),
};
const USAGE: JsonSchema = {
  title: 'CustomNodeUsage',
  type: 'object',
  description: 'Who uses it, by the ids of organizations.',
  properties: {
    sandbox: {
      title: 'CustomNodeSandboxUsage',
      type: 'object',
      description: 'All applications that belong to users.',
      properties: USERS,
    },
  },
  additionalProperties: {
    title: 'CustomNodeOrgUsage',
    type: 'object',
    description: 'The applications of one organization.',
    properties: {
      orgName: { type: 'string', description: "The organization's name.", example: 'North Field' },
      orgIconColor: { type: 'string', description: 'The color of its icon.', example: '#2f6f4f' },
      ...USERS,
    },
  },
};

/** A node that all applications of an instance can use. */
@ApiSchema({
  name: 'InstanceCustomNode',
  description: 'A node that all applications of an instance can use.',
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
  @IdField({ required: true, description: 'The instance that it belongs to.' })
  instanceId: string;

  @StringField({ required: true, minLength: 1, maxLength: 255, description: 'Its name.', example: 'Average' })
  name: string;

  @StringField({ maxLength: 32767, description: 'What it does.', example: 'The mean of a list of numbers' })
  description?: string;

  @StringField({ maxLength: 1024, description: 'The same in a line.', example: 'Averages a list' })
  shortDescription?: string;

  @JsonField(TRIGGERS, { required: true, description: 'One trigger, `customNodeStart`.' })
  triggers: readonly FlowTrigger[];

  @JsonField(NODES, { required: true, description: 'What it does.' })
  nodes: readonly FlowNode[];

  @JsonField(CUSTOM_NODE_CONFIG, { description: 'Its inputs and outputs.' })
  customNodeConfig?: CustomNodeConfig;

  @JsonField(CUSTOM_NODE_SUPPORTS, { description: 'Where it can run.', example: ['cloud'] })
  customNodeSupports?: string[];

  @StringField({
    pattern: MINIMUM_AGENT_VERSION_PATTERN,
    description: 'The oldest edge agent that can run it.',
    example: '1.0.0',
  })
  minimumAgentVersion?: string;

  @ChoiceField(CATEGORIES, {
    description: 'The part of the palette that it stands in.',
  })
  category?: string;

  @StringField({
    maxLength: 32767,
    pattern: ICON_DATA_PATTERN,
    description: 'Its icon.',
    example: 'data:image/png;base64,iVBORw0KGgo=',
  })
  iconData?: string;

  @StringField({
    maxLength: 1024,
    description: 'Where it is documented.',
    example: 'https://example.com/nodes/average',
  })
  docsUrl?: string;

  @IdField({
    column: false,
    description: 'The application whose custom node it was made of; absent where it was made for itself.',
  })
  sourceApplicationId?: string;

  @IdField({ column: false, description: 'That custom node.' })
  sourceFlowId?: string;

  @StringField({
    column: false,
    minLength: 1,
    maxLength: 255,
    description: 'The version of it.',
    example: '1.4.0',
  })
  sourceFlowVersion?: string;

  @JsonField(STATS, { column: false, description: 'Runs of the last 24 hours.' })
  stats?: object;

  @JsonField(USAGE, { column: false, description: 'Who uses it.' })
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
    description: 'The part of the palette that it stands in; empty for none.',
    example: 'logic',
  })
  category?: string;

  @StringField({
    column: false,
    maxLength: 32767,
    pattern: ICON_DATA_PATTERN,
    nullable: true,
    description: 'Its icon; `null` for none.',
    example: 'data:image/png;base64,iVBORw0KGgo=',
  })
  iconData?: string | null;
}

@ApiSchema({ name: 'InstanceCustomNodePost', description: 'A new custom node of an instance.' })
export class InstanceCustomNodePost extends InstanceCustomNodeChanges {}

@ApiSchema({
  name: 'InstanceCustomNodePatch',
  description: 'Changes to a custom node; what is absent stays as it is, and lists are replaced whole.',
})
export class InstanceCustomNodePatch extends PartialType(InstanceCustomNodeChanges) {}

export const InstanceCustomNodes = pageOf(InstanceCustomNode, 'InstanceCustomNodes', ['instanceId']);
