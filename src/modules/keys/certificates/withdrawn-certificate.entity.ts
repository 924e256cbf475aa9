import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { holding } from '../../../platform/holdings/holding.js';
import { Application } from '../../applications/applications/application.resource.js';

/**
 * That a certificate was registered and is no more. Its authority may still be trusted, and it may be made out to a device:
 * without this it would go on signing that in as one that was never registered.
 */
@Entity('withdrawn_certificates')
export class WithdrawnCertificate {
  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'text' })
  applicationId: string;

  /** SHA-256 of the whole of it, hexadecimal. */
  @PrimaryColumn({ type: 'text' })
  digest: string;
}

export const WITHDRAWN_CERTIFICATES = holding(WithdrawnCertificate, {
  table: 'withdrawn_certificates',
  title: 'Certificate',
});
