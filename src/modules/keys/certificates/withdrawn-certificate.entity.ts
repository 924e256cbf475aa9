import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { Application } from '../../applications/applications/application.resource.js';

/**
 * Records that a certificate was registered and then removed. Its authority may still be trusted and its common name
 * may be a device ID. Without this record, that device could continue to sign in with it as a certificate that was
 * never registered.
 */
@Entity('withdrawn_certificates')
export class WithdrawnCertificate {
  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'text' })
  applicationId: string;

  /** SHA-256 hash of the whole certificate, in hexadecimal. */
  @PrimaryColumn({ type: 'text' })
  digest: string;
}

export const WITHDRAWN_CERTIFICATES = holding(WithdrawnCertificate, {
  table: 'withdrawn_certificates',
  title: 'Certificate',
});
