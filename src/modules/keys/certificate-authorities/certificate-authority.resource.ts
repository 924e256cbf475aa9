import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { CERTIFICATE_INFO, type CertificateInfo } from '../../../platform/certificates/certificate-info.js';
import { AUTHORITY_PEM } from '../../../lib/crypto/certificate-examples.js';
import { AliasField, ChoiceField, IdField, JsonField, StringField } from '../../../platform/fields/fields.js';
import { holding } from '../../../platform/holdings/holding.js';
import { pageOf } from '../../../platform/lists/page.js';
import { Resource } from '../../../platform/repositories/resource.js';
import { Application } from '../../applications/applications/application.resource.js';

export const STATUSES = ['active', 'inactive'] as const;

/** Whose signature an application takes as proof that a certificate is of one of its devices. */
@ApiSchema({
  name: 'ApplicationCertificateAuthority',
  description: 'An authority that signs the certificates of devices of the application.',
})
@Entity('application_certificate_authorities')
@Index('certificate_authorities_by_id', ['applicationId', 'id'])
@Index('certificate_authorities_by_creation', ['applicationId', 'creationDate', 'id'])
@Index('certificate_authorities_by_change', ['applicationId', 'lastUpdated', 'id'])
@Index('certificate_authorities_by_name', ['applicationId', 'name', 'id'])
@Index('certificate_authorities_by_status', ['applicationId', 'status', 'id'])
export class ApplicationCertificateAuthority extends Resource {
  @AliasField('authority')
  applicationCertificateAuthorityId: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'The application that it belongs to.' })
  applicationId: string;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Its name.',
    example: 'Makers of pumps',
  })
  name: string;

  @StringField({ maxLength: 32767, description: 'What it is for.', example: 'Signs what leaves the factory' })
  description?: string;

  @ChoiceField(STATUSES, {
    required: true,
    description: 'Devices with certificates of an inactive authority cannot sign in.',
  })
  status: (typeof STATUSES)[number];

  @StringField({
    required: true,
    minLength: 50,
    maxLength: 32767,
    description:
      'Its certificates, PEM: one or more, each of an authority. Each is trusted by itself, so an authority below another signs devices only where it is in the bundle.',
    example: AUTHORITY_PEM,
  })
  caBundle: string;

  @JsonField(
    { type: 'array', items: CERTIFICATE_INFO },
    { required: true, description: 'What the certificates of the bundle say, in their order.' },
  )
  caInfo: CertificateInfo[];

  /** The subjects of its certificates in their order, each hashed with the application: what they signed finds them so. */
  @Index('certificate_authorities_subjects', { synchronize: false })
  @Column({ type: 'text', array: true })
  subjectKeys: string[];
}

export const CERTIFICATE_AUTHORITIES = holding(ApplicationCertificateAuthority, {
  table: 'application_certificate_authorities',
  title: 'Certificate authority',
  audited: 'ApplicationCertificateAuthority',
  count: 'certificateAuthorityCount',
  limit: 'applicationcertificateauthority',
});

@ApiSchema({ name: 'ApplicationCertificateAuthorityPost', description: 'A new authority.' })
export class ApplicationCertificateAuthorityPost extends PickType(ApplicationCertificateAuthority, [
  'name',
  'description',
  'caBundle',
]) {
  @ChoiceField(STATUSES, {
    column: false,
    description: 'Devices with certificates of an inactive authority cannot sign in.',
    default: 'active',
  })
  status?: (typeof STATUSES)[number];
}

@ApiSchema({
  name: 'ApplicationCertificateAuthorityPatch',
  description: 'Changes to an authority; what is absent stays as it is.',
})
export class ApplicationCertificateAuthorityPatch extends PartialType(
  PickType(ApplicationCertificateAuthority, ['name', 'description', 'status', 'caBundle']),
) {}

export const ApplicationCertificateAuthorities = pageOf(
  ApplicationCertificateAuthority,
  'ApplicationCertificateAuthorities',
  ['applicationId'],
);
