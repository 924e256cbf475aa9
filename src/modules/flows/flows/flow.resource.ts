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
  FLOW_GLOBALS,
  ICON_DATA_PATTERN,
  MINIMUM_AGENT_VERSION_PATTERN,
  NODES,
  TRIGGERS,
} from '../../../workflows/graph/graph.schemas.js';
import { FLOW_COMPUTED } from './flow.columns.js';

const COUNTS = {
  runCount: { type: 'integer', minimum: 0, description: 'Runs.', example: 12 },
  errorCount: { type: 'integer', minimum: 0, description: 'Runs of which a path failed.', example: 0 },
};

/** What ran in the last 24 hours. */
export const FLOW_STATS: JsonSchema = {
  title: 'FlowRunCounts',
  type: 'object',
  description: 'Runs of the last 24 hours, to the minute.',
  properties: {
    ...COUNTS,
    byVersion: {
      type: 'object',
      description: 'The same by version: the names of versions, and `develop`.',
      additionalProperties: {
        title: 'FlowVersionRunCounts',
        type: 'object',
        description: 'Runs of one version in the last 24 hours.',
        properties: COUNTS,
      },
    },
  },
};

/** A workflow, with the version of it that is being developed. */
@ApiSchema({
  name: 'Flow',
  description:
    'A workflow. Its triggers, nodes and globals are those of the version `develop`, which alone can be edited.',
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
  @IdField({ required: true, description: 'The application that it belongs to.' })
  applicationId: string;

  @StringField({ required: true, minLength: 1, maxLength: 255, description: 'Its name.', example: 'Alarm' })
  name: string;

  @StringField({ maxLength: 32767, description: 'What it does.', example: 'Warns when a pump runs dry' })
  description?: string;

  @ChoiceField(FLOW_CLASSES, { required: true, description: 'Where it runs; fixed when it is made.' })
  flowClass: FlowClass;

  @BooleanField({ required: true, description: 'Whether it runs, in whatever version.' })
  enabled: boolean;

  @IdField({
    description: 'The version that runs; absent, the one that is being developed.',
  })
  defaultVersionId?: string | null;

  @JsonField(TRIGGERS, { required: true, description: 'What makes it run.' })
  triggers: readonly FlowTrigger[];

  @JsonField(NODES, { required: true, description: 'What it does then.' })
  nodes: readonly FlowNode[];

  @JsonField(FLOW_GLOBALS, { required: true, description: 'Values that its nodes can read.' })
  globals: readonly FlowGlobal[];

  @StringField({
    pattern: MINIMUM_AGENT_VERSION_PATTERN,
    description: 'The oldest agent that can run it; for edge and embedded workflows.',
    example: '1.0.0',
  })
  minimumAgentVersion?: string;

  @ChoiceField(CATEGORIES, {
    description: 'The part of the palette that a custom node stands in.',
  })
  category?: string;

  @StringField({
    maxLength: 32767,
    pattern: ICON_DATA_PATTERN,
    description: 'The icon of a custom node.',
    example: 'data:image/png;base64,iVBORw0KGgo=',
  })
  iconData?: string | null;

  @StringField({
    maxLength: 1024,
    description: 'Where a custom node is documented.',
    example: 'https://example.com/nodes/average',
  })
  docsUrl?: string;

  @StringField({ maxLength: 1024, description: 'A custom node in a line.', example: 'Averages a list' })
  shortDescription?: string;

  @JsonField(CUSTOM_NODE_CONFIG, { description: 'The inputs and outputs of a custom node.' })
  customNodeConfig?: object;

  @JsonField(CUSTOM_NODE_SUPPORTS, { description: 'Where a custom node can run.', example: ['cloud'] })
  customNodeSupports?: string[];

  @BooleanField({
    column: false,
    description: 'Whether only experience versions still have it.',
    example: false,
  })
  deletedInDevelop?: boolean;

  @IntegerField({
    column: false,
    minimum: 0,
    description: 'Of a custom node: how many workflows of the application use it.',
    example: 2,
  })
  customNodeUseCount?: number;

  @JsonField(FLOW_STATS, { column: false, description: 'Runs of the last 24 hours.' })
  stats?: object;

  /** The ids that its triggers and nodes name, such as webhooks and custom nodes. */
  @Index('flows_named_ids', { synchronize: false })
  @Column({ type: 'text', array: true, default: [] })
  namedIds: string[];

  /** False for an experience workflow that only versions still have. */
  @Column({ type: 'boolean', default: true })
  inDevelop: boolean;
}

const EDITED = [
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
  description: 'Changes to a workflow; what is absent stays as it is, and lists are replaced whole.',
})
export class FlowPatch extends PartialType(PickType(Flow, EDITED)) {
  @emptyText('The part of the palette that a custom node stands in; empty for none.')
  category?: string;

  @StringField({
    column: false,
    maxLength: 32767,
    pattern: ICON_DATA_PATTERN,
    nullable: true,
    description: 'The icon of a custom node; `null` takes it away.',
    example: 'data:image/png;base64,iVBORw0KGgo=',
  })
  iconData?: string | null;

  @IdField({
    column: false,
    nullable: true,
    description: 'The version that is to run; `null` for the one that is being developed.',
  })
  defaultVersionId?: string | null;
}

@ApiSchema({ name: 'FlowPost', description: 'A new workflow.' })
export class FlowPost extends OmitType(FlowPatch, ['name', 'defaultVersionId']) {
  @StringField({
    column: false,
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Its name.',
    example: 'Alarm',
  })
  name: string;

  @ChoiceField(FLOW_CLASSES, {
    column: false,
    description: 'Where it runs; fixed from then on.',
    default: 'cloud',
    example: 'cloud',
  })
  flowClass?: FlowClass;

  @JsonField(CUSTOM_NODE_SUPPORTS, {
    column: false,
    description: 'Where a custom node can run; fixed from then on.',
    example: ['cloud'],
  })
  customNodeSupports?: string[];
}

export const FLOWS = holding(Flow, {
  table: 'flows',
  title: 'Flow',
  audited: 'Flow',
  count: 'flowCount',
  parted: 'flowClass',
  limit: 'flow',
  computed: FLOW_COMPUTED,
});

export const Flows = pageOf(Flow, 'Flows', ['applicationId', 'flowClass']);
