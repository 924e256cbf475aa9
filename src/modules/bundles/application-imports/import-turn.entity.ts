import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Whose applications are being imported or cloned: an owner has one import under way. */
@Entity('import_turns')
export class ImportTurn {
  @PrimaryColumn({ type: 'text' })
  ownerId: string;

  /** The import that has the turn. */
  @Column({ type: 'text' })
  importId: string;

  /** The job that goes on with it; none while a request does. */
  @Column({ type: 'text', nullable: true })
  jobId: string | null;

  /** Until when a request has it that says nothing more. */
  @Column({ type: 'timestamptz', precision: 3 })
  endsAt: Date;
}
