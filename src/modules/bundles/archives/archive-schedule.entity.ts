import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { Application } from '../../applications/applications/application.resource.js';

/** Progress of an application's daily archive. */
@Entity('archive_schedules')
export class ArchiveSchedule {
  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'text' })
  applicationId: string;

  /** Time of the next run. */
  @Column({ type: 'timestamptz', precision: 3 })
  runAt: Date;

  /** First day (UTC) that is not archived yet; `null` before the first run. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  nextDay: Date | null;
}

export const ARCHIVE_SCHEDULES = holding(ArchiveSchedule, { table: 'archive_schedules', title: 'Schedule' });
