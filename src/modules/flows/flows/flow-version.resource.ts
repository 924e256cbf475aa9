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
import {
  FLOW_CLASSES,
  type FlowClass,
  type FlowGlobal,
  type FlowNode,
  type FlowTrigger,
} from '../../../workflows/graph/graph.js';
import {
  CUSTOM_NODE_CONFIG,
  FLOW_GLOBALS,
  MINIMUM_AGENT_VERSION_PATTERN,
  NODES,
  TRIGGERS,
} from '../../../workflows/graph/graph.schemas.js';

/** A copy of a workflow under a name; what it does never changes. */
@ApiSchema({ name: 'FlowVersion', description: 'A version of a workflow: what it does never changes.' })
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
  @IdField({ required: true, description: 'The application that it belongs to.' })
  applicationId: string;

  /** No foreign key: the versions of a workflow that is gone are removed a batch at a time. */
  @IdField({ required: true, description: 'The workflow.' })
  flowId: string;

  @ChoiceField(FLOW_CLASSES, { required: true, description: 'Where the workflow runs.' })
  flowClass: FlowClass;

  @StringField({
    column: false,
    minLength: 1,
    maxLength: 255,
    description: "The workflow's name, in lists of several workflows.",
    example: 'Alarm',
  })
  name?: string;

  @StringField({
    column: false,
    maxLength: 32767,
    description: 'What the workflow does, in lists of several workflows.',
    example: 'Warns when a pump runs dry',
  })
  description?: string;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Its name, unique in the workflow; `develop` is the one that is being developed.',
    example: '1.4.0',
  })
  version: string;

  @StringField({ maxLength: 32767, description: 'What is new in it.', example: 'Warns earlier' })
  notes?: string;

  @BooleanField({
    required: true,
    description: 'Whether it runs where it is asked for; a workflow that is off runs in no version.',
  })
  enabled: boolean;

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

  @JsonField(CUSTOM_NODE_CONFIG, { description: 'The inputs and outputs of a custom node.' })
  customNodeConfig?: object;

  @JsonField(
    { type: 'array', items: { type: 'string', minLength: 1, maxLength: 255 } },
    {
      column: false,
      description: 'The experience versions that have it so; of experience workflows.',
      example: ['1.4.0'],
    },
  )
  versions?: string[];

  @JsonField(FLOW_STATS, { column: false, description: 'Runs of the last 24 hours.' })
  stats?: object;

  /** The ids that its triggers and nodes name, such as webhooks and custom nodes. */
  @Index('flow_versions_named_ids', { synchronize: false })
  @Column({ type: 'text', array: true, default: [] })
  namedIds: string[];
}

@ApiSchema({
  name: 'FlowVersionPost',
  description: 'A new version. What is absent is empty in it: nothing is taken from the version `develop`.',
})
export class FlowVersionPost extends PickType(FlowVersion, [
  'version',
  'notes',
  'minimumAgentVersion',
  'customNodeConfig',
]) {
  @BooleanField({
    column: false,
    description: 'Whether it runs where it is asked for.',
    default: true,
  })
  enabled?: boolean;

  @JsonField(TRIGGERS, { column: false, description: 'What makes it run.' })
  triggers?: readonly FlowTrigger[];

  @JsonField(NODES, { column: false, description: 'What it does then.' })
  nodes?: readonly FlowNode[];

  @JsonField(FLOW_GLOBALS, { column: false, description: 'Values that its nodes can read.' })
  globals?: readonly FlowGlobal[];
}

@ApiSchema({ name: 'FlowVersionPatch', description: 'Changes to a version: what it does stays.' })
export class FlowVersionPatch extends PartialType(PickType(FlowVersion, ['notes', 'enabled'])) {}

export const FLOW_VERSIONS = holding(FlowVersion, { table: 'flow_versions', title: 'Flow version' });

export const FlowVersions = pageOf(FlowVersion, 'FlowVersions', ['applicationId', 'flowId']);
