import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * What a month was of an application, an organization or an instance, as it is answered; written when the month is over, since
 * most counts are known of the present alone. It outlives what it is of.
 */
@Entity('historical_summaries')
export class HistoricalSummaryRow {
  @PrimaryColumn({ type: 'text' })
  instanceId: string;

  /** When the month began, by UTC. */
  @Index('historical_summaries_by_age')
  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  currentPeriodStart: Date;

  @PrimaryColumn({ type: 'text' })
  resourceType: string;

  /** The id of what it is of. */
  @PrimaryColumn({ type: 'text' })
  id: string;

  @Column({ type: 'text', nullable: true })
  ownerId: string | null;

  @Column({ type: 'text', nullable: true })
  ownerType: string | null;

  @Column({ type: 'jsonb' })
  summary: object;
}
