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

/** The version of a bundle that there is not: nothing runs, or nothing is to run. */
export const NO_BUNDLE = 'nullVersion';

const BUNDLE_EXAMPLE = '1781323200000';

const FLOWS_SHOWN: JsonSchema = {
  type: 'object',
  additionalProperties: {
    title: 'EmbeddedDeploymentFlow',
    type: 'object',
    description: 'A workflow on a device.',
    properties: {
      flowName: logText('Its name; absent where it was deleted.', 'Alarm'),
      currentVersion: logText('The version that the device runs; `null` for none.', '1.4.0', true),
      desiredVersion: logText('The version that it is to run; `null` for none.', '1.5.0', true),
    },
  },
};

const LOGS: JsonSchema = {
  type: 'array',
  items: {
    title: 'EmbeddedDeploymentLog',
    type: 'object',
    description: 'What happened to a deployment.',
    properties: {
      ...LOG_MEMBERS,
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
          'What changed: a workflow came, was replaced (by another version, or its version changed) or went; all went; globals of the application changed; the device is of another class; the device runs a bundle that is known, or is not.',
        example: 'replaceFlow',
      },
      updateFlowId: {
        type: 'string',
        pattern: '^[A-Fa-f\\d]{24}$',
        description: 'The workflow, where it is one.',
        example: '575ec8687ae143cd83dc4a97',
      },
      desiredVersion: logText('The version of it that the device is to run.', '1.5.0', true),
      newBundle: logText('The version of the bundle from then on.', BUNDLE_EXAMPLE, true),
      attemptedBundle: logText('The bundle that failed, or that nobody knows.', BUNDLE_EXAMPLE, true),
    },
  },
};

/** What a bundle that was made for a device holds. */
export interface IssuedBundle {
  version: string;
  /** The version of each workflow in it. */
  flows: Readonly<Record<string, string>>;
}

/** What a device runs of embedded workflows, and what it is to run. */
@ApiSchema({
  name: 'EmbeddedDeployment',
  description:
    'The embedded workflows of a device: those that it runs and those that it is to run. All that are to run make one bundle.',
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
export class EmbeddedDeployment extends Resource {
  @AliasField('deployment')
  embeddedDeploymentId: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'The application that it belongs to.' })
  applicationId: string;

  @IdField({ required: true, description: 'The device.' })
  deviceId: string;

  @StringField({ column: false, minLength: 1, maxLength: 255, description: 'Its name.', example: 'Pump 3' })
  deviceName?: string;

  @JsonField(CONNECTION_INFO, {
    column: false,
    description: 'Whether it is connected.',
    example: { connected: 1, time: '2026-06-13T04:00:00.000Z' },
  })
  deviceConnectionInfo?: object;

  @JsonField(FLOWS_SHOWN, {
    required: true,
    column: false,
    description: 'Its workflows by their ids.',
    example: {
      '575ec8687ae143cd83dc4a97': { flowName: 'Alarm', currentVersion: '1.4.0', desiredVersion: '1.5.0' },
    },
  })
  flows: object;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 255,
    description: `The bundle that the device says it runs; \`${NO_BUNDLE}\` where it runs none, or never said.`,
    example: NO_BUNDLE,
  })
  currentBundleVersion: string;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 255,
    description: `The bundle that it is to run; \`${NO_BUNDLE}\` for none. It is another one whenever what it holds changes, also what the version \`develop\` does and globals of the application.`,
    example: BUNDLE_EXAMPLE,
  })
  desiredBundleVersion: string;

  @BooleanField({
    required: true,
    description:
      'Whether the device says that it runs a bundle of which nothing is known: it was made for another device, or very long ago.',
    example: false,
  })
  unknownBundle: boolean;

  @JsonField(LOGS, { required: true, description: `What happened, the newest ${MOST_LOGGED} first to last.` })
  logs: readonly object[];

  /** When the device was deleted, where it was: nobody finds it until it is restored. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deletedAt: Date | null;

  /** The last bundle that became desired, as a number; the next is greater. */
  @Column({ type: 'bigint', default: 0 })
  lastBundle: string;

  /** The bundles that became desired last, the newest first. */
  @Column({ type: 'jsonb', default: [] })
  bundles: readonly IssuedBundle[];

  /** How the device asked for its bundle to be compiled, as it last said hello. */
  @Column({ type: 'jsonb', nullable: true })
  compilerOptions: object | null;
}

export const EMBEDDED_DEPLOYMENTS = holding(EmbeddedDeployment, {
  table: 'embedded_deployments',
  title: 'Embedded deployment',
  deletedAt: 'deletedAt',
});

/** The kind of count that is kept of them for their application. */
export const EMBEDDED_DEPLOYMENT_COUNT = 'embeddedDeploymentCount';

@ApiSchema({ name: 'EmbeddedDeployments', description: 'A page of embedded deployments.' })
export class EmbeddedDeployments extends deploymentsPageOf(EmbeddedDeployment, 'EmbeddedDeploymentsPage') {}

@ApiSchema({
  name: 'EmbeddedDeploymentRelease',
  description: 'Which devices get which version of a workflow.',
})
export class EmbeddedDeploymentRelease extends ReleaseBody {
  @StringField({
    column: false,
    nullable: true,
    minLength: 1,
    maxLength: 255,
    description:
      'A name for the release. It stands in the audit log with the request, and changes neither devices nor what they get.',
    example: 'spring rollout',
  })
  releaseTag?: string | null;
}

@ApiSchema({ name: 'EmbeddedDeploymentRemove', description: 'Which devices lose which workflows.' })
export class EmbeddedDeploymentRemove extends RemoveBody {}

@ApiSchema({
  name: 'EmbeddedDeploymentReplace',
  description: 'Which version of a workflow takes the place of which.',
})
export class EmbeddedDeploymentReplace extends ReplaceBody {}
