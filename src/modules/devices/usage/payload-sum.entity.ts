import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { Application } from '../../applications/applications/application.resource.js';

/** Payloads of a type and channel in an hour, and again in a day, added up. */
abstract class PayloadSum {
  /** How long it is: 1 or 24. */
  @PrimaryColumn({ type: 'smallint' })
  hours: number;

  /** When it begins, by UTC. */
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

/** The payloads of an application, and of each of its devices. */
@Entity('application_payload_sums')
@Index('application_payload_sums_by_age', ['hours', 'start'])
export class ApplicationPayloadSum extends PayloadSum {
  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'text' })
  applicationId: string;

  /** Empty for all of the application's, also those of no device. */
  @PrimaryColumn({ type: 'text' })
  deviceId: string;
}

/**
 * The payloads of a user's or an organization's applications, by whose they were when they came, and those of an instance.
 * They outlive whose they are of, until they are too old: bills are written afterwards.
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
