import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { Application } from '../../applications/applications/application.resource.js';
import type { ChangeSource, DeploymentChange, DeploymentKind, DeviceWindows } from './deployment-change.js';

/**
 * A change of what devices are to run that waits for its turn. Those of an application are made one after the other, so that
 * the last of them is what counts, however many devices each is for. Requests leave them, and PostgreSQL itself where a
 * workflow, a version, a device or the globals of an application change, whoever does that.
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

  /** The last device that was looked at. */
  @Column({ type: 'text', default: '' })
  after: string;

  /** How often it failed. */
  @Column({ type: 'integer', default: 0 })
  attempts: number;

  /** When it may be tried again, where it failed. */
  @Column({ type: 'timestamptz', nullable: true })
  dueAt: Date | null;
}

export const DEPLOYMENT_TASKS = holding(DeploymentTask, { table: 'deployment_tasks', title: 'Task' });
