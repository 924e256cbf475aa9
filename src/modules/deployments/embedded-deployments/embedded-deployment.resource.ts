import { ApiSchema } from '@nestjs/swagger';
import { Column, Entity, ForeignKey, Index } from 'typeorm';
import {
  AliasField,
  BooleanField,
  IdField,
  JsonField,
  StringField,
  type JsonSchema,
} from '../../../platform/fields/fields.js';
import { holding } from '../../../platform/holdings/holding.js';
import { Application } from '../../applications/applications/application.resource.js';
import { logText, ReleaseBody, RemoveBody, ReplaceBody } from '../deployments/deployment-bodies.js';
import { DeploymentField, DeploymentRow } from '../deployments/deployment.fields.js';
import { deploymentsPageOf } from '../deployments/deployments-page.js';
import { exampleId } from '../../../platform/fields/example-id.js';
import { unsampled } from '../../../platform/fields/schema.js';

/** Bundle version that means no bundle. */
export const NO_BUNDLE = 'nullVersion';

const BUNDLE_EXAMPLE = '1781323200000';

const FLOWS_SHOWN: JsonSchema = {
  type: 'object',
  additionalProperties: {
    title: 'EmbeddedDeploymentFlow',
    type: 'object',
    description: 'Current and desired version of a workflow on a device.',
    properties: {
      flowName: logText('Name of the workflow; absent if it was deleted.', 'Alarm'),
      currentVersion: logText('Version that the device runs; `null` if it runs no version.', '1.4.0', true),
      desiredVersion: logText(
        'Version that the device is supposed to run; `null` if the workflow was removed.',
        '1.5.0',
        true,
      ),
    },
  },
};

/** Bundle that was desired for a device. */
export interface IssuedBundle {
  version: string;
  /** Workflow versions in the bundle, keyed by workflow ID. */
  flows: Readonly<Record<string, string>>;
}

/** Current and desired embedded workflows of a device. */
@ApiSchema({
  name: 'EmbeddedDeployment',
  description:
    'Current and desired embedded workflows of a device. All desired workflows are compiled into one bundle.',
})
@Entity('embedded_deployments')
@Index('embedded_deployments_of_device', ['deviceId'], { unique: true })
@Index('embedded_deployments_by_device', ['applicationId', 'deviceId'])
@Index('embedded_deployments_by_id', ['applicationId', 'id'], { where: 'deleted_at IS NULL' })
@Index('embedded_deployments_by_creation', ['applicationId', 'creationDate', 'id'], {
  where: 'deleted_at IS NULL',
})
@Index('embedded_deployments_by_change', ['applicationId', 'lastUpdated', 'id'], {
  where: 'deleted_at IS NULL',
})
export class EmbeddedDeployment extends DeploymentRow {
  @AliasField('deployment')
  embeddedDeploymentId: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'ID of the application that the deployment belongs to.' })
  applicationId: string;

  @IdField({ required: true, description: 'ID of the embedded device.' })
  deviceId: string;

  @DeploymentField.deviceName('Pump 3')
  deviceName?: string;

  @DeploymentField.deviceConnectionInfo
  deviceConnectionInfo?: object;

  @JsonField(FLOWS_SHOWN, {
    required: true,
    column: false,
    description: 'Workflows of the device, keyed by ID.',
    example: {
      [exampleId('flow')]: { flowName: 'Alarm', currentVersion: '1.4.0', desiredVersion: '1.5.0' },
    },
  })
  flows: object;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 255,
    description: `Version of the bundle that the device reports as running; \`${NO_BUNDLE}\` if it runs none or has never reported.`,
    example: NO_BUNDLE,
  })
  currentBundleVersion: string;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 255,
    description: `Version of the bundle that the device is supposed to run; \`${NO_BUNDLE}\` if no workflow is deployed. It changes whenever the contents of the bundle change, including the version \`develop\` and globals of the application.`,
    example: BUNDLE_EXAMPLE,
  })
  desiredBundleVersion: string;

  @BooleanField({
    required: true,
    description:
      'Whether the device reports a bundle that is unknown, because it was created for another device or is too old.',
    example: false,
  })
  unknownBundle: boolean;

  @DeploymentField.logs('EmbeddedDeploymentLog', 'Change of an embedded deployment.', {
    updateType: {
      type: 'string',
      enum: [
        'newFlow',
        'replaceFlow',
        'removeFlow',
        'clear',
        'globals',
        'device',
        'unknownBundle',
        'knownBundle',
      ],
      description:
        'Cause of the change. `newFlow`, `replaceFlow` and `removeFlow`: a workflow was added, its version or contents changed, or it was removed. `clear`: all workflows were removed. `globals`: globals of the application changed. `device`: the class of the device changed. `knownBundle` and `unknownBundle`: the device reported a known or unknown bundle.',
      example: 'replaceFlow',
    },
    updateFlowId: {
      type: 'string',
      pattern: '^[A-Fa-f\\d]{24}$',
      description: 'ID of the changed workflow, if the change concerns a single one.',
      example: exampleId('flow'),
    },
    desiredVersion: logText('Desired version of the workflow after the change.', '1.5.0', true),
    newBundle: logText('Version of the bundle after the change.', BUNDLE_EXAMPLE, true),
    attemptedBundle: unsampled(
      logText('Version of the bundle that failed or is unknown.', BUNDLE_EXAMPLE, true),
    ),
  })
  logs: readonly object[];

  /** Number of the last desired bundle; the next one is greater. */
  @Column({ type: 'bigint', default: 0 })
  lastBundle: string;

  /** Most recent desired bundles, newest first. */
  @Column({ type: 'jsonb', default: [] })
  bundles: readonly IssuedBundle[];

  /** Compiler options of the device's last hello; `null` if it never sent one. */
  @Column({ type: 'jsonb', nullable: true })
  compilerOptions: object | null;
}

export const EMBEDDED_DEPLOYMENTS = holding(EmbeddedDeployment, {
  table: 'embedded_deployments',
  title: 'Embedded deployment',
  deletedAt: 'deletedAt',
  after: ['devices'],
});

/** Name of the count stored per application. */
export const EMBEDDED_DEPLOYMENT_COUNT = 'embeddedDeploymentCount';

@ApiSchema({ name: 'EmbeddedDeployments', description: 'Page of embedded deployments.' })
export class EmbeddedDeployments extends deploymentsPageOf(EmbeddedDeployment, 'EmbeddedDeploymentsPage') {}

@ApiSchema({
  name: 'EmbeddedDeploymentRelease',
  description: 'Workflow version to deploy, and the devices to deploy it to.',
})
export class EmbeddedDeploymentRelease extends ReleaseBody {
  @StringField({
    column: false,
    nullable: true,
    minLength: 1,
    maxLength: 255,
    description: 'Name of the release for the audit log. It has no effect on devices.',
    example: 'spring rollout',
  })
  releaseTag?: string | null;
}

@ApiSchema({
  name: 'EmbeddedDeploymentRemove',
  description: 'Workflows to remove, and the devices to remove them from.',
})
export class EmbeddedDeploymentRemove extends RemoveBody {}

@ApiSchema({
  name: 'EmbeddedDeploymentReplace',
  description: 'Workflow version to replace, and its replacement.',
})
export class EmbeddedDeploymentReplace extends ReplaceBody {}
