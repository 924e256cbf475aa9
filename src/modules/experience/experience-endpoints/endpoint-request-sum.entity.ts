import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { Application } from '../../applications/applications/application.resource.js';

/**
 * Number of requests to an experience in a minute, and again in an hour. The servers of experiences insert into
 * `experience_request_deltas`, and workers aggregate these rows (`EndpointRequestsRepository`). Versions and domains
 * are stored by name, because they and endpoints may be deleted.
 */
@Entity('experience_request_sums')
export class ExperienceRequestSum {
  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'text' })
  applicationId: string;

  /** Length of the period in minutes: 1 or 60. */
  @PrimaryColumn({ type: 'smallint' })
  minutes: number;

  /** End of the period (inclusive). Its start is exclusive. */
  @Index('experience_request_sums_by_age')
  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  until: Date;

  /** ID of the endpoint that responded; empty for none. */
  @PrimaryColumn({ type: 'text' })
  endpointId: string;

  /** Name of the version. */
  @PrimaryColumn({ type: 'text' })
  version: string;

  /** Domain or slug of the request. */
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
  after: ['experience_endpoints'],
});
