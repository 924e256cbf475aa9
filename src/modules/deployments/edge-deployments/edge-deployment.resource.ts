import { ApiSchema } from '@nestjs/swagger';
import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { AliasField, ChoiceField, IdField, StringField } from '../../../platform/fields/fields.js';
import { holding } from '../../../platform/holdings/holding.js';
import { Application } from '../../applications/applications/application.resource.js';
import { logText, ReleaseBody, RemoveBody, ReplaceBody } from '../deployments/deployment-bodies.js';
import { DeploymentField, DeploymentRow } from '../deployments/deployment.fields.js';
import { deploymentsPageOf } from '../deployments/deployments-page.js';
import { exampleId } from '../../../platform/fields/example-id.js';
import { unsampled } from '../../../platform/fields/schema.js';

/** Classes of workflows that run on edge compute devices. */
export const EDGE_FLOW_CLASSES = ['edge', 'customNode'] as const;

const ETAG_EXAMPLE = '9e107d9d372bb6826bd81d3542a419d6';

/** Workflow on an edge compute device, with its current and desired version. */
@ApiSchema({
  name: 'EdgeDeployment',
  description:
    'Workflow or custom node on an edge compute device, with its current and desired version. A removed deployment is kept without versions.',
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
export class EdgeDeployment extends DeploymentRow {
  @AliasField('deployment')
  edgeDeploymentId: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'ID of the application that the deployment belongs to.' })
  applicationId: string;

  @IdField({ required: true, description: 'ID of the edge compute device.' })
  deviceId: string;

  @DeploymentField.deviceName('Pump 3')
  deviceName?: string;

  @DeploymentField.deviceConnectionInfo
  deviceConnectionInfo?: object;

  @IdField({ required: true, description: 'ID of the workflow or custom node.' })
  flowId: string;

  @StringField({
    column: false,
    minLength: 1,
    maxLength: 255,
    description: 'Name of the workflow; absent if it was deleted.',
    example: 'Alarm',
  })
  flowName?: string;

  @ChoiceField(EDGE_FLOW_CLASSES, {
    title: 'EdgeFlowClass',
    required: true,
    description: 'Class of the workflow.',
  })
  flowClass: (typeof EDGE_FLOW_CLASSES)[number];

  @StringField({
    required: true,
    column: false,
    pattern: '^(?!\\.{1,2}$)[0-9a-zA-Z_.-]{1,255}$',
    description: 'Name of the file in which the agent stores the workflow.',
    example: `${exampleId('flow')}.flow`,
  })
  fileName: string;

  @StringField({
    nullable: true,
    minLength: 1,
    maxLength: 255,
    description: 'Version that the device reports as running; absent if it runs no version.',
    example: '1.4.0',
  })
  currentVersion?: string | null;

  @StringField({
    nullable: true,
    minLength: 1,
    maxLength: 255,
    description: 'Version that the device is supposed to run; absent if the workflow was removed.',
    example: '1.5.0',
  })
  desiredVersion?: string | null;

  @StringField({
    minLength: 1,
    maxLength: 255,
    description: 'ETag of the running version; absent if the device runs no version.',
    example: ETAG_EXAMPLE,
  })
  currentEtag?: string;

  @StringField({
    minLength: 1,
    maxLength: 255,
    description:
      'ETag of the desired version; absent if the workflow was removed. It changes with the contents of the version, the name of the workflow and its `enabled` property.',
    example: ETAG_EXAMPLE,
  })
  desiredEtag?: string;

  /** Whether it is a custom node that was not released itself, but is executed by workflows of the device. */
  @Column({ type: 'boolean', default: false })
  isDependency: boolean;

  @DeploymentField.logs('EdgeDeploymentLog', 'Change of an edge deployment.', {
    previousValue: logText('Version before the change; `null` if there was no version.', '1.4.0', true),
    newValue: logText('Version after the change; `null` if the workflow was removed.', '1.5.0', true),
    previousEtag: logText('ETag before the change.', ETAG_EXAMPLE),
    newEtag: logText('ETag after the change.', ETAG_EXAMPLE),
    attemptedValue: unsampled(logText('Version that could not be deployed.', '1.5.0', true)),
    attemptedEtag: unsampled(logText('ETag that could not be deployed.', ETAG_EXAMPLE)),
  })
  logs: readonly object[];
}

export const EDGE_DEPLOYMENTS = holding(EdgeDeployment, {
  table: 'edge_deployments',
  title: 'Edge deployment',
  deletedAt: 'deletedAt',
  // Removed before workflows, because the removal of a deployed workflow adds a task.
  after: ['devices', 'flows'],
});

/** Name of the count stored per application. */
export const EDGE_DEPLOYMENT_COUNT = 'edgeDeploymentCount';

@ApiSchema({ name: 'EdgeDeployments', description: 'Page of edge deployments.' })
export class EdgeDeployments extends deploymentsPageOf(EdgeDeployment, 'EdgeDeploymentsPage') {}

@ApiSchema({
  name: 'EdgeDeploymentRelease',
  description: 'Workflow version to deploy, and the devices to deploy it to.',
})
export class EdgeDeploymentRelease extends ReleaseBody {}

@ApiSchema({
  name: 'EdgeDeploymentRemove',
  description: 'Workflows to remove, and the devices to remove them from.',
})
export class EdgeDeploymentRemove extends RemoveBody {}

@ApiSchema({
  name: 'EdgeDeploymentReplace',
  description: 'Workflow version to replace, and its replacement.',
})
export class EdgeDeploymentReplace extends ReplaceBody {}
