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

/** Authority whose signature an application accepts on device certificates. */
@ApiSchema({
  name: 'ApplicationCertificateAuthority',
  description: 'A certificate authority that signs device certificates of the application.',
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
  @IdField({ required: true, description: 'ID of the application that the authority belongs to.' })
  applicationId: string;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Display name of the authority; does not have to be unique.',
    example: 'Makers of pumps',
  })
  name: string;

  @StringField({
    maxLength: 32767,
    description: "Free-text description of the authority's purpose.",
    example: 'Signs what leaves the factory',
  })
  description?: string;

  @ChoiceField(STATUSES, {
    required: true,
    description:
      'Status of the authority. Devices with certificates of an inactive authority cannot sign in.',
  })
  status: (typeof STATUSES)[number];

  @StringField({
    required: true,
    minLength: 50,
    maxLength: 32767,
    description:
      'PEM bundle of one or more CA certificates. Each is trusted individually: chains are not followed, so an intermediate authority must be in the bundle to sign devices.',
    example: AUTHORITY_PEM,
  })
  caBundle: string;

  @JsonField(
    { type: 'array', items: CERTIFICATE_INFO },
    { required: true, description: 'Details of the certificates in the bundle, in the same order.' },
  )
  caInfo: CertificateInfo[];

  /**
   * Subjects of the certificates in order, each hashed with the application ID. Used to find the issuer of a
   * certificate.
   */
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

@ApiSchema({
  name: 'ApplicationCertificateAuthorityPost',
  description: 'Properties of a new certificate authority.',
})
export class ApplicationCertificateAuthorityPost extends PickType(ApplicationCertificateAuthority, [
  'name',
  'description',
  'caBundle',
]) {
  @ChoiceField(STATUSES, {
    column: false,
    description:
      'Status of the authority. Devices with certificates of an inactive authority cannot sign in.',
    default: 'active',
  })
  status?: (typeof STATUSES)[number];
}

@ApiSchema({
  name: 'ApplicationCertificateAuthorityPatch',
  description: 'Changes to a certificate authority. Omitted properties keep their value.',
})
export class ApplicationCertificateAuthorityPatch extends PartialType(
  PickType(ApplicationCertificateAuthority, ['name', 'description', 'status', 'caBundle']),
) {}

export const ApplicationCertificateAuthorities = pageOf(
  ApplicationCertificateAuthority,
  'ApplicationCertificateAuthorities',
  ['applicationId'],
);
