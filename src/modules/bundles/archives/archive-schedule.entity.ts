import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { Application } from '../../applications/applications/application.resource.js';

/** How far the daily archive of an application is. */
@Entity('archive_schedules')
export class ArchiveSchedule {
  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'text' })
  applicationId: string;

  /** When it runs next. */
  @Column({ type: 'timestamptz', precision: 3 })
  runAt: Date;

  /** The first day (UTC) that it has not archived; absent before its first run. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  nextDay: Date | null;
}

export const ARCHIVE_SCHEDULES = holding(ArchiveSchedule, { table: 'archive_schedules', title: 'Schedule' });
