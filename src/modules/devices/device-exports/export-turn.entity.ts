import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { Application } from '../../applications/applications/application.resource.js';

/** When the data of a device was last exported, that of an application's devices, or the list of them. */
@Entity('export_turns')
export class ExportTurn {
  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'text' })
  applicationId: string;

  /** The device, the application itself, or `devices` for the list. */
  @PrimaryColumn({ type: 'text' })
  subjectId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  takenAt: Date;
}

export const EXPORT_TURNS = holding(ExportTurn, { table: 'export_turns', title: 'Turn' });
