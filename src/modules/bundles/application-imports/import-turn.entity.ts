import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Lease on imports and clones: each owner can have one in progress. */
@Entity('import_turns')
export class ImportTurn {
  @PrimaryColumn({ type: 'text' })
  ownerId: string;

  /** ID of the import that holds the lease. */
  @Column({ type: 'text' })
  importId: string;

  /** Job that runs the import; `null` while a request does. */
  @Column({ type: 'text', nullable: true })
  jobId: string | null;

  /** Time at which the lease of a request expires. */
  @Column({ type: 'timestamptz', precision: 3 })
  endsAt: Date;
}
