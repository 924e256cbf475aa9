import { ApiSchema, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { AuthoredResource } from '../../../platform/repositories/authored.js';
import {
  AliasField,
  BooleanField,
  ChoiceField,
  IdField,
  IntegerField,
  JsonField,
  StringField,
  type JsonSchema,
} from '../../../platform/fields/fields.js';
import { holding } from '../../../platform/holdings/holding.js';
import { pageOf } from '../../../platform/lists/page.js';
import { Application } from '../../applications/applications/application.resource.js';
import {
  FLOW_CLASSES,
  type FlowClass,
  type FlowGlobal,
  type FlowNode,
  type FlowTrigger,
} from '../../../workflows/graph/graph.js';
import {
  CATEGORIES,
  CATEGORY,
  CUSTOM_NODE_CONFIG,
  CUSTOM_NODE_SUPPORTS,
  ICON_DATA_PATTERN,
} from '../../../workflows/graph/graph.schemas.js';
import { FLOW_COMPUTED } from './flow.columns.js';
import { GraphField } from './graph.fields.js';

const COUNTS = {
  runCount: { type: 'integer', minimum: 0, description: 'Number of runs.', example: 12 },
  errorCount: { type: 'integer', minimum: 0, description: 'Number of runs with a failed path.', example: 0 },
};

/** Run counts of the last 24 hours. */
export const FLOW_STATS: JsonSchema = {
  title: 'FlowRunCounts',
  type: 'object',
  description: 'Run counts of the last 24 hours, to the minute.',
  properties: {
    ...COUNTS,
    byVersion: {
      type: 'object',
      description: 'Run counts by version name, including `develop`.',
      additionalProperties: {
        title: 'FlowVersionRunCounts',
        type: 'object',
        description: 'Run counts of one version in the last 24 hours.',
        properties: COUNTS,
      },
      example: { develop: { runCount: 12, errorCount: 0 } },
    },
  },
};

/** A workflow, with the graph of its development version. */
@ApiSchema({
  name: 'Flow',
  description:
    'A workflow. Its triggers, nodes and globals are those of the development version, the only version that can be edited.',
})
@Entity('flows')
@Index('flows_by_application', ['applicationId', 'name', 'id'])
@Index('flows_by_name', ['applicationId', 'flowClass', 'name', 'id'])
@Index('flows_by_creation', ['applicationId', 'flowClass', 'creationDate', 'id'])
@Index('flows_by_change', ['applicationId', 'flowClass', 'lastUpdated', 'id'])
@Index('flows_by_id', ['applicationId', 'flowClass', 'id'])
export class Flow extends AuthoredResource {
  @AliasField('workflow')
  flowId: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'ID of the application that the workflow belongs to.' })
  applicationId: string;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Display name; does not need to be unique.',
    example: 'Alarm',
  })
  name: string;

  @StringField({
    maxLength: 32767,
    description: 'Description of the workflow, as free text.',
    example: 'Warns when a pump runs dry',
  })
  description?: string;

  @ChoiceField(FLOW_CLASSES, {
    required: true,
    description: 'Environment in which the workflow runs. Fixed at creation.',
  })
  flowClass: FlowClass;

  @BooleanField({
    required: true,
    description: 'Whether the workflow can run. If `false`, none of its versions run.',
  })
  enabled: boolean;

  @IdField({
    description: 'ID of the version that runs by default. Omitted if it is the development version.',
  })
  defaultVersionId?: string | null;

  @GraphField.triggers
  triggers: readonly FlowTrigger[];

  @GraphField.nodes
  nodes: readonly FlowNode[];

  @GraphField.globals
  globals: readonly FlowGlobal[];

  @GraphField.minimumAgentVersion
  minimumAgentVersion?: string;

  @ChoiceField(CATEGORIES, {
    sampled: false,
    description: 'Section of the palette in which the node appears. Custom nodes only.',
  })
  category?: string;

  @StringField({
    maxLength: 32767,
    pattern: ICON_DATA_PATTERN,
    sampled: false,
    description: 'Icon of the node, as a data URL. Custom nodes only.',
    example: 'data:image/png;base64,iVBORw0KGgo=',
  })
  iconData?: string | null;

  @StringField({
    maxLength: 1024,
    sampled: false,
    description: 'URL of the documentation of the node. Custom nodes only.',
    example: 'https://example.com/nodes/average',
  })
  docsUrl?: string;

  @StringField({
    maxLength: 1024,
    sampled: false,
    description: 'Description of the node in one line. Custom nodes only.',
    example: 'Averages a list',
  })
  shortDescription?: string;

  @JsonField(CUSTOM_NODE_CONFIG, {
    sampled: false,
    description: 'Inputs and outputs of the node. Custom nodes only.',
  })
  customNodeConfig?: object;

  @JsonField(CUSTOM_NODE_SUPPORTS, {
    sampled: false,
    description: 'Class of workflows in which the node can run. Custom nodes only.',
    example: ['cloud'],
  })
  customNodeSupports?: string[];

  @BooleanField({
    column: false,
    description: 'Whether the workflow is deleted from development, and only experience versions contain it.',
    example: false,
  })
  deletedInDevelop?: boolean;

  @IntegerField({
    column: false,
    minimum: 0,
    sampled: false,
    description: 'Number of workflows of the application that use the node. Custom nodes only.',
    example: 2,
  })
  customNodeUseCount?: number;

  @JsonField(FLOW_STATS, { column: false, description: 'Runs of the last 24 hours.' })
  stats?: object;

  /** IDs that the triggers and nodes refer to, such as webhooks and custom nodes. */
  @Index('flows_named_ids', { synchronize: false })
  @Column({ type: 'text', array: true, default: [] })
  namedIds: string[];

  /** `false` for an experience workflow that only experience versions contain. */
  @Column({ type: 'boolean', default: true })
  inDevelop: boolean;
}

const EDITABLE_PROPERTIES = [
  'name',
  'description',
  'enabled',
  'triggers',
  'nodes',
  'globals',
  'minimumAgentVersion',
  'docsUrl',
  'shortDescription',
  'customNodeConfig',
] as const;

const emptyText = (description: string) =>
  JsonField(CATEGORY, { column: false, description, example: 'logic' });

@ApiSchema({
  name: 'FlowPatch',
  description: 'Changes to a workflow. Omitted properties keep their value. Arrays are replaced, not merged.',
})
export class FlowPatch extends PartialType(PickType(Flow, EDITABLE_PROPERTIES)) {
  @emptyText(
    'Section of the palette in which the node appears. An empty string removes it. Custom nodes only.',
  )
  category?: string;

  @StringField({
    column: false,
    maxLength: 32767,
    pattern: ICON_DATA_PATTERN,
    nullable: true,
    description: 'Icon of the node, as a data URL; `null` removes it. Custom nodes only.',
    example: 'data:image/png;base64,iVBORw0KGgo=',
  })
  iconData?: string | null;

  @IdField({
    column: false,
    nullable: true,
    description: 'ID of the version to run by default; `null` selects the development version.',
  })
  defaultVersionId?: string | null;
}

@ApiSchema({ name: 'FlowPost', description: 'A workflow to create.' })
export class FlowPost extends OmitType(FlowPatch, ['name', 'defaultVersionId']) {
  @StringField({
    column: false,
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Display name; does not need to be unique.',
    example: 'Alarm',
  })
  name: string;

  @ChoiceField(FLOW_CLASSES, {
    column: false,
    description: 'Environment in which the workflow runs. Cannot be changed later.',
    default: 'cloud',
    example: 'cloud',
  })
  flowClass?: FlowClass;

  @JsonField(CUSTOM_NODE_SUPPORTS, {
    column: false,
    description: 'Class of workflows in which the node can run. Cannot be changed later. Custom nodes only.',
    example: ['cloud'],
  })
  customNodeSupports?: string[];
}

export const FLOWS = holding(Flow, {
  table: 'flows',
  title: 'Flow',
  audited: 'Flow',
  count: 'flowCount',
  partitionedBy: 'flowClass',
  limit: 'flow',
  computed: FLOW_COMPUTED,
  // Triggers and nodes can name all of these.
  after: [
    'application_certificate_authorities',
    'credentials',
    'webhooks',
    'integrations',
    'devices',
    'device_recipes',
    'data_tables',
    'experience_groups',
    'experience_users',
    'experience_endpoints',
    'experience_views',
  ],
});

export const Flows = pageOf(Flow, 'Flows', ['applicationId', 'flowClass']);
