import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { Application } from '../../applications/applications/application.resource.js';

/** Sums of payloads by type and channel, for each hour and each day. */
abstract class PayloadSum {
  /** Length of the period in hours: 1 or 24. */
  @PrimaryColumn({ type: 'smallint' })
  hours: number;

  /** Start of the period, in UTC. */
  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  start: Date;

  @PrimaryColumn({ type: 'text' })
  type: string;

  @PrimaryColumn({ type: 'text' })
  channel: string;

  @Column({ type: 'bigint' })
  n: string;

  @Column({ type: 'bigint' })
  bytes: string;
}

/** Payloads of an application and of each of its devices. */
@Entity('application_payload_sums')
@Index('application_payload_sums_by_age', ['hours', 'start'])
export class ApplicationPayloadSum extends PayloadSum {
  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'text' })
  applicationId: string;

  /** Empty for all payloads of the application, including those without a device. */
  @PrimaryColumn({ type: 'text' })
  deviceId: string;
}

/**
 * Payloads of an instance, and of the applications of a user or an organization, attributed to the owner at the time of
 * each payload. They are kept until they are too old, even if their owner is deleted, because bills are written
 * afterwards.
 */
@Entity('owner_payload_sums')
@Index('owner_payload_sums_by_age', ['hours', 'start'])
export class OwnerPayloadSum extends PayloadSum {
  @PrimaryColumn({ type: 'text' })
  ownerId: string;
}

export const APPLICATION_PAYLOAD_SUMS = holding(ApplicationPayloadSum, {
  table: 'application_payload_sums',
  title: 'Sum of payloads',
});
