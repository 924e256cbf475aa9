import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { Application } from '../../applications/applications/application.resource.js';

/** A workflow that a device runs or is to run. Of a deleted workflow a row stays as long as the device runs it. */
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

  /** The version that the device runs. */
  @Column({ type: 'text', nullable: true })
  currentVersion: string | null;

  /** The version that it is to run. */
  @Column({ type: 'text', nullable: true })
  desiredVersion: string | null;
}

export const EMBEDDED_DEPLOYMENT_FLOWS = holding(EmbeddedDeploymentFlow, {
  table: 'embedded_deployment_flows',
  title: 'Workflow of a device',
});
