import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { Application } from '../../applications/applications/application.resource.js';

/** Time of the last export of a subject. */
@Entity('export_turns')
export class ExportTurn {
  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'text' })
  applicationId: string;

  /**
   * Device ID for its data, application ID for the data of all devices, `devices` for the list, or `payloads` for
   * payload counts.
   */
  @PrimaryColumn({ type: 'text' })
  subjectId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  takenAt: Date;
}

export const EXPORT_TURNS = holding(ExportTurn, { table: 'export_turns', title: 'Turn' });
