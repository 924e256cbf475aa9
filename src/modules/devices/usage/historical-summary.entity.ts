import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * Monthly summary of an application, an organization or an instance, as returned by the API. Stored at the end of the
 * month, because most counts are known for the present only. It is kept after its resource is deleted.
 */
@Entity('historical_summaries')
export class HistoricalSummaryRow {
  @PrimaryColumn({ type: 'text' })
  instanceId: string;

  /** Start of the month, in UTC. */
  @Index('historical_summaries_by_age')
  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  currentPeriodStart: Date;

  @PrimaryColumn({ type: 'text' })
  resourceType: string;

  /** ID of the summarized resource. */
  @PrimaryColumn({ type: 'text' })
  id: string;

  @Column({ type: 'text', nullable: true })
  ownerId: string | null;

  @Column({ type: 'text', nullable: true })
  ownerType: string | null;

  @Column({ type: 'jsonb' })
  summary: object;
}
