import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { Application } from '../../applications/applications/application.resource.js';

/**
 * Current and desired version of a workflow on a device. The row of a deleted workflow is kept as long as the device
 * runs it.
 */
@Entity('embedded_deployment_flows')
@Index('embedded_deployment_flows_by_device', ['applicationId', 'deviceId', 'flowId'])
@Index('embedded_deployment_flows_by_flow', ['applicationId', 'flowId', 'deviceId'])
@Index('embedded_deployment_flows_desired', ['applicationId', 'desiredVersion', 'flowId', 'deviceId'])
@Index('embedded_deployment_flows_current', ['applicationId', 'currentVersion', 'flowId', 'deviceId'])
export class EmbeddedDeploymentFlow {
  @PrimaryColumn({ type: 'text' })
  deviceId: string;

  @PrimaryColumn({ type: 'text' })
  flowId: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @Column({ type: 'text' })
  applicationId: string;

  /** Version that the device runs. */
  @Column({ type: 'text', nullable: true })
  currentVersion: string | null;

  /** Version that the device is supposed to run. */
  @Column({ type: 'text', nullable: true })
  desiredVersion: string | null;
}

export const EMBEDDED_DEPLOYMENT_FLOWS = holding(EmbeddedDeploymentFlow, {
  table: 'embedded_deployment_flows',
  title: 'Workflow of a device',
  // Removed before workflows, because the removal of a deployed workflow adds a task.
  after: ['embedded_deployments', 'flows'],
});
