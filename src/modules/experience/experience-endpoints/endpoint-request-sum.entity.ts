import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { Application } from '../../applications/applications/application.resource.js';

/**
 * Requests to an experience in a minute, and again in an hour, added up. Whoever serves experiences notes them in
 * `experience_request_deltas`, which is only inserted into, and workers add them (`EndpointRequestsRepository`). What is
 * counted here is told by names: endpoints, versions and domains may be gone.
 */
@Entity('experience_request_sums')
export class ExperienceRequestSum {
  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'text' })
  applicationId: string;

  /** How long it is: 1 or 60. */
  @PrimaryColumn({ type: 'smallint' })
  minutes: number;

  /** Its end. What came at that moment is in it, and what came at its beginning is not. */
  @Index('experience_request_sums_by_age')
  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  until: Date;

  /** The endpoint that answered; empty where none did. */
  @PrimaryColumn({ type: 'text' })
  endpointId: string;

  /** The name of the version. */
  @PrimaryColumn({ type: 'text' })
  version: string;

  /** The domain or slug. */
  @PrimaryColumn({ type: 'text' })
  domain: string;

  @PrimaryColumn({ type: 'smallint' })
  statusCode: number;

  @Column({ type: 'bigint' })
  requests: string;
}

export const EXPERIENCE_REQUEST_SUMS = holding(ExperienceRequestSum, {
  table: 'experience_request_sums',
  title: 'Sum of requests',
});
