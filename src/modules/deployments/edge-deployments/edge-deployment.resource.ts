import { ApiSchema } from '@nestjs/swagger';
import { Column, Entity, ForeignKey, Index } from 'typeorm';
import {
  AliasField,
  ChoiceField,
  IdField,
  JsonField,
  StringField,
  type JsonSchema,
} from '../../../platform/fields/fields.js';
import { holding } from '../../../platform/holdings/holding.js';
import { Resource } from '../../../platform/repositories/resource.js';
import { Application } from '../../applications/applications/application.resource.js';
import {
  LOG_MEMBERS,
  logText,
  MOST_LOGGED,
  ReleaseBody,
  RemoveBody,
  ReplaceBody,
} from '../deployments/deployment-bodies.js';
import { deploymentsPageOf } from '../deployments/deployments-page.js';
import { CONNECTION_INFO } from '../../devices/devices/device.schemas.js';

/** The workflows that run on edge compute devices. */
export const EDGE_FLOW_CLASSES = ['edge', 'customNode'] as const;

const ETAG_EXAMPLE = '9e107d9d372bb6826bd81d3542a419d6';

const LOGS: JsonSchema = {
  type: 'array',
  items: {
    title: 'EdgeDeploymentLog',
    type: 'object',
    description: 'What happened to a deployment.',
    properties: {
      ...LOG_MEMBERS,
      previousValue: logText('The version until then; `null` for none.', '1.4.0', true),
      newValue: logText('The version from then on; `null` for none.', '1.5.0', true),
      previousEtag: logText('The content until then.', ETAG_EXAMPLE),
      newEtag: logText('The content from then on.', ETAG_EXAMPLE),
      attemptedValue: logText('The version that failed.', '1.5.0', true),
      attemptedEtag: logText('The content that failed.', ETAG_EXAMPLE),
    },
  },
};

/** A workflow on an edge compute device: the version that it runs, and the one that it is to run. */
@ApiSchema({
  name: 'EdgeDeployment',
  description:
    'A workflow, or a custom node, on an edge compute device: the version that it runs and the one that it is to run. It stays when it is removed, with both empty.',
})
@Entity('edge_deployments')
@Index('edge_deployments_key', ['deviceId', 'flowId'], { unique: true })
@Index('edge_deployments_of_device', ['applicationId', 'deviceId', 'flowId'])
@Index('edge_deployments_of_flow', ['applicationId', 'flowId', 'deviceId'])
@Index('edge_deployments_desired', ['applicationId', 'desiredVersion', 'flowId', 'deviceId'])
@Index('edge_deployments_current', ['applicationId', 'currentVersion', 'flowId', 'deviceId'])
@Index('edge_deployments_by_id', ['applicationId', 'id'], { where: 'deleted_at IS NULL' })
@Index('edge_deployments_by_device', ['applicationId', 'deviceId', 'id'], { where: 'deleted_at IS NULL' })
@Index('edge_deployments_by_flow', ['applicationId', 'flowId', 'id'], { where: 'deleted_at IS NULL' })
@Index('edge_deployments_by_desired', ['applicationId', 'desiredVersion', 'id'], {
  where: 'deleted_at IS NULL',
})
@Index('edge_deployments_by_current', ['applicationId', 'currentVersion', 'id'], {
  where: 'deleted_at IS NULL',
})
@Index('edge_deployments_by_creation', ['applicationId', 'creationDate', 'id'], {
  where: 'deleted_at IS NULL',
})
@Index('edge_deployments_by_change', ['applicationId', 'lastUpdated', 'id'], { where: 'deleted_at IS NULL' })
export class EdgeDeployment extends Resource {
  @AliasField('deployment')
  edgeDeploymentId: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'The application that it belongs to.' })
  applicationId: string;

  @IdField({ required: true, description: 'The device.' })
  deviceId: string;

  @StringField({ column: false, minLength: 1, maxLength: 255, description: 'Its name.', example: 'Gate 3' })
  deviceName?: string;

  @JsonField(CONNECTION_INFO, {
    column: false,
    description: 'Whether it is connected.',
    example: { connected: 1, time: '2026-06-13T04:00:00.000Z' },
  })
  deviceConnectionInfo?: object;

  @IdField({ required: true, description: 'The workflow, or the custom node.' })
  flowId: string;

  @StringField({
    column: false,
    minLength: 1,
    maxLength: 255,
    description: 'Its name; absent where it was deleted.',
    example: 'Alarm',
  })
  flowName?: string;

  @ChoiceField(EDGE_FLOW_CLASSES, { required: true, description: 'What it is.' })
  flowClass: (typeof EDGE_FLOW_CLASSES)[number];

  @StringField({
    required: true,
    column: false,
    pattern: '^(?!\\.{1,2}$)[0-9a-zA-Z_.-]{1,255}$',
    description: 'The file that the agent keeps it in.',
    example: '575ec8687ae143cd83dc4a97.flow',
  })
  fileName: string;

  @StringField({
    nullable: true,
    minLength: 1,
    maxLength: 255,
    description: 'The version that the device says it runs; absent for none.',
    example: '1.4.0',
  })
  currentVersion?: string | null;

  @StringField({
    nullable: true,
    minLength: 1,
    maxLength: 255,
    description: 'The version that it is to run; absent for none.',
    example: '1.5.0',
  })
  desiredVersion?: string | null;

  @StringField({
    minLength: 1,
    maxLength: 255,
    description: 'The content of what it runs; absent for none.',
    example: ETAG_EXAMPLE,
  })
  currentEtag?: string;

  @StringField({
    minLength: 1,
    maxLength: 255,
    description:
      'The content of what it is to run; absent for none. It is another one where that changes: what the version does, the name of the workflow, whether it is on, or globals of the application.',
    example: ETAG_EXAMPLE,
  })
  desiredEtag?: string;

  @JsonField(LOGS, { required: true, description: `What happened, the newest ${MOST_LOGGED} first to last.` })
  logs: readonly object[];

  /** When the device was deleted, where it was: nobody finds it until it is restored. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deletedAt: Date | null;
}

export const EDGE_DEPLOYMENTS = holding(EdgeDeployment, {
  table: 'edge_deployments',
  title: 'Edge deployment',
  deletedAt: 'deletedAt',
});

/** The kind of count that is kept of them for their application. */
export const EDGE_DEPLOYMENT_COUNT = 'edgeDeploymentCount';

@ApiSchema({ name: 'EdgeDeployments', description: 'A page of edge deployments.' })
export class EdgeDeployments extends deploymentsPageOf(EdgeDeployment, 'EdgeDeploymentsPage') {}

@ApiSchema({ name: 'EdgeDeploymentRelease', description: 'Which devices get which version of a workflow.' })
export class EdgeDeploymentRelease extends ReleaseBody {}

@ApiSchema({ name: 'EdgeDeploymentRemove', description: 'Which devices lose which workflows.' })
export class EdgeDeploymentRemove extends RemoveBody {}

@ApiSchema({
  name: 'EdgeDeploymentReplace',
  description: 'Which version of a workflow takes the place of which.',
})
export class EdgeDeploymentReplace extends ReplaceBody {}
