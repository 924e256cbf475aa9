import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { Application } from '../../applications/applications/application.resource.js';
import type { ChangeSource, DeploymentChange, DeploymentKind, DeviceWindows } from './deployment-change.js';

/**
 * Queued change of deployments. Changes of an application are applied sequentially, so that the last one wins on any
 * number of devices. Requests enqueue them, and so do database triggers when a workflow, version, device or the globals
 * of an application change.
 */
@Entity('deployment_tasks')
@Index('deployment_tasks_by_application', ['kind', 'applicationId', 'id'])
@Index('deployment_tasks_of_application', ['applicationId'])
export class DeploymentTask {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @Column({ type: 'text' })
  applicationId: string;

  @Column({ type: 'text' })
  kind: DeploymentKind['name'];

  @Column({ type: 'jsonb' })
  change: DeploymentChange;

  @Column({ type: 'jsonb', nullable: true })
  source: ChangeSource | null;

  @Column({ type: 'text', array: true, nullable: true })
  deviceIds: string[] | null;

  @Column({ type: 'jsonb', nullable: true })
  windows: DeviceWindows | null;

  /** ID of the last processed device. */
  @Column({ type: 'text', default: '' })
  after: string;

  /** Number of failed attempts. */
  @Column({ type: 'integer', default: 0 })
  attempts: number;

  /** Earliest time of the next attempt; `null` before the first failure. */
  @Column({ type: 'timestamptz', nullable: true })
  dueAt: Date | null;
}

export const DEPLOYMENT_TASKS = holding(DeploymentTask, {
  table: 'deployment_tasks',
  title: 'Task',
  // Removed before deployments, because a pending task would add them again.
  after: ['edge_deployments', 'embedded_deployment_flows'],
});
