import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { AuthoredResource } from '../../../platform/repositories/authored.js';
import {
  AliasField,
  BooleanField,
  ChoiceField,
  IdField,
  JsonField,
  StringField,
} from '../../../platform/fields/fields.js';
import { holding } from '../../../platform/holdings/holding.js';
import { pageOf } from '../../../platform/lists/page.js';
import { Application } from '../../applications/applications/application.resource.js';
import { FLOW_STATS } from './flow.resource.js';
import { GraphField } from './graph.fields.js';
import {
  FLOW_CLASSES,
  type FlowClass,
  type FlowGlobal,
  type FlowNode,
  type FlowTrigger,
} from '../../../workflows/graph/graph.js';
import { CUSTOM_NODE_CONFIG, FLOW_GLOBALS, NODES, TRIGGERS } from '../../../workflows/graph/graph.schemas.js';

/** Named copy of a workflow, with an immutable graph. */
@ApiSchema({ name: 'FlowVersion', description: 'A version of a workflow. Its graph cannot be changed.' })
@Entity('flow_versions')
@Index('flow_versions_name', ['flowId', 'version'], { unique: true })
@Index('flow_versions_by_application', ['applicationId', 'version'])
@Index('flow_versions_by_flow', ['flowId', 'id'])
@Index('flow_versions_by_creation', ['flowId', 'creationDate', 'id'])
@Index('flow_versions_by_change', ['flowId', 'lastUpdated', 'id'])
export class FlowVersion extends AuthoredResource {
  @AliasField('version')
  flowVersionId: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'ID of the application that the version belongs to.' })
  applicationId: string;

  /** No foreign key: the versions of a deleted workflow are deleted in batches. */
  @IdField({ required: true, description: 'ID of the workflow.' })
  flowId: string;

  @ChoiceField(FLOW_CLASSES, { required: true, description: 'Environment in which the workflow runs.' })
  flowClass: FlowClass;

  @StringField({
    column: false,
    minLength: 1,
    maxLength: 255,
    description: 'Name of the workflow. Only in lists across workflows.',
    example: 'Alarm',
  })
  name?: string;

  @StringField({
    column: false,
    maxLength: 32767,
    description: 'Description of the workflow. Only in lists across workflows.',
    example: 'Warns when a pump runs dry',
  })
  description?: string;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Name of the version, unique within the workflow; `develop` is the development version.',
    example: '1.4.0',
  })
  version: string;

  @StringField({ maxLength: 32767, description: 'Release notes, as free text.', example: 'Warns earlier' })
  notes?: string;

  @BooleanField({
    required: true,
    description: 'Whether the version can run. If the workflow is disabled, none of its versions run.',
  })
  enabled: boolean;

  @GraphField.triggers
  triggers: readonly FlowTrigger[];

  @GraphField.nodes
  nodes: readonly FlowNode[];

  @GraphField.globals
  globals: readonly FlowGlobal[];

  @GraphField.minimumAgentVersion
  minimumAgentVersion?: string;

  @JsonField(CUSTOM_NODE_CONFIG, { sampled: false, description: 'Inputs and outputs of a custom node.' })
  customNodeConfig?: object;

  @JsonField(
    { type: 'array', items: { type: 'string', minLength: 1, maxLength: 255 } },
    {
      column: false,
      sampled: false,
      description:
        'Names of the experience versions that contain this workflow version. Experience workflows only.',
      example: ['1.4.0'],
    },
  )
  versions?: string[];

  @JsonField(FLOW_STATS, { column: false, description: 'Runs of the last 24 hours.' })
  stats?: object;

  /** IDs that the triggers and nodes refer to, such as webhooks and custom nodes. */
  @Index('flow_versions_named_ids', { synchronize: false })
  @Column({ type: 'text', array: true, default: [] })
  namedIds: string[];
}

@ApiSchema({
  name: 'FlowVersionPost',
  description:
    'A version to create. Omitted properties are empty: nothing is copied from the development version.',
})
export class FlowVersionPost extends PickType(FlowVersion, [
  'version',
  'notes',
  'minimumAgentVersion',
  'customNodeConfig',
]) {
  @BooleanField({
    column: false,
    description: 'Whether the version can run.',
    default: true,
  })
  enabled?: boolean;

  @JsonField(TRIGGERS, { column: false, description: 'Triggers that start a run.' })
  triggers?: readonly FlowTrigger[];

  @JsonField(NODES, { column: false, description: 'Nodes that a run executes.' })
  nodes?: readonly FlowNode[];

  @JsonField(FLOW_GLOBALS, { column: false, description: 'Constants that the nodes can read.' })
  globals?: readonly FlowGlobal[];
}

@ApiSchema({ name: 'FlowVersionPatch', description: 'Changes to a version. The graph cannot be changed.' })
export class FlowVersionPatch extends PartialType(PickType(FlowVersion, ['notes', 'enabled'])) {}

export const FLOW_VERSIONS = holding(FlowVersion, {
  table: 'flow_versions',
  title: 'Flow version',
  // Those of an experience version can name its endpoints and views.
  after: ['flows', 'experience_endpoint_versions', 'experience_view_versions'],
});

export const FlowVersions = pageOf(FlowVersion, 'FlowVersions', ['applicationId', 'flowId']);
