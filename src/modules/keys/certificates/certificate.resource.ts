import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { CERTIFICATE_INFO, type CertificateInfo } from '../../../platform/certificates/certificate-info.js';
import { DEVICE_PEM } from '../../../lib/crypto/certificate-examples.js';
import {
  AliasField,
  ChoiceField,
  ID_EXAMPLE,
  IdField,
  JsonField,
  StringField,
} from '../../../platform/fields/fields.js';
import { holding } from '../../../platform/holdings/holding.js';
import { pageOf } from '../../../platform/lists/page.js';
import { Resource } from '../../../platform/repositories/resource.js';
import {
  DEVICE_IDS,
  DEVICE_TAGS,
  FILTER_TYPES,
  STATUSES,
  TOPIC_EXAMPLE,
  TOPICS,
  type DeviceTags,
} from '../application-keys/application-key.resource.js';
import { Application } from '../../applications/applications/application.resource.js';
import { LOGGED_NAME } from './certificate.columns.js';

/** Certificate with which devices of an application authenticate instead of using a key. */
@ApiSchema({
  name: 'ApplicationCertificate',
  description: 'A certificate with which devices of the application sign in.',
})
@Entity('application_certificates')
@Index('certificates_digest', ['applicationId', 'digest'], { unique: true })
@Index('certificates_by_id', ['applicationId', 'id'])
@Index('certificates_by_creation', ['applicationId', 'creationDate', 'id'])
@Index('certificates_by_change', ['applicationId', 'lastUpdated', 'id'])
@Index('certificates_by_name', ['applicationId', 'certificateInfoCommonName', 'id'])
@Index('certificates_by_status', ['applicationId', 'status', 'id'])
export class ApplicationCertificate extends Resource {
  @AliasField('certificate')
  applicationCertificateId: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'ID of the application that the certificate belongs to.' })
  applicationId: string;

  @ChoiceField(STATUSES, {
    required: true,
    description: 'Status of the certificate. An inactive certificate cannot be used to sign in.',
  })
  status: (typeof STATUSES)[number];

  @StringField({
    maxLength: 32767,
    description: "Free-text description of the certificate's purpose.",
    example: 'The pumps of the north field',
  })
  description?: string;

  @StringField({
    required: true,
    minLength: 50,
    maxLength: 32767,
    description: 'The certificate, in PEM format.',
    example: DEVICE_PEM,
  })
  certificate: string;

  @JsonField(CERTIFICATE_INFO, { required: true, description: 'Details of the certificate.' })
  certificateInfo: CertificateInfo;

  @JsonField(DEVICE_IDS, {
    required: true,
    description:
      'IDs of devices that can use the certificate, in addition to those selected by `deviceTags`. Cannot be changed. If both are empty, no device can use it.',
    example: [ID_EXAMPLE],
  })
  deviceIds: string[];

  @JsonField(DEVICE_TAGS, {
    required: true,
    description:
      'Tags of devices that can use the certificate, in addition to those in `deviceIds`. Cannot be changed.',
    example: [{ key: 'site', value: 'north' }],
  })
  deviceTags: DeviceTags;

  @ChoiceField(FILTER_TYPES, {
    required: true,
    description:
      'Which topics devices can use in addition to their own: `all`, only those in `pubTopics` and `subTopics` (`whitelist`), all except those (`blacklist`), or `none`.',
  })
  filterType: (typeof FILTER_TYPES)[number];

  @JsonField(TOPICS, {
    required: true,
    description: 'Topics that devices can or cannot publish to, depending on `filterType`.',
    example: TOPIC_EXAMPLE,
  })
  pubTopics: string[];

  @JsonField(TOPICS, {
    required: true,
    description: 'Topics that devices can or cannot subscribe to, depending on `filterType`.',
    example: TOPIC_EXAMPLE,
  })
  subTopics: string[];

  /** Copy of the common name, by which lists are sorted. */
  @Column({ type: 'text', nullable: true })
  certificateInfoCommonName?: string | null;

  /** SHA-256 hash of the whole certificate, in hexadecimal. */
  @Column({ type: 'text' })
  digest: string;
}

export const CERTIFICATES = holding(ApplicationCertificate, {
  table: 'application_certificates',
  title: 'Certificate',
  audited: { type: 'ApplicationCertificate', name: LOGGED_NAME },
  count: 'certificateCount',
  limit: 'applicationcertificate',
  conflictMessages: { certificates_digest: 'applicationCertificate.certificate is already registered' },
});

@ApiSchema({ name: 'ApplicationCertificatePost', description: 'Properties of a new device certificate.' })
export class ApplicationCertificatePost extends PartialType(
  PickType(ApplicationCertificate, ['description', 'deviceIds', 'deviceTags', 'pubTopics', 'subTopics']),
) {
  @StringField({
    column: false,
    required: true,
    minLength: 50,
    maxLength: 32767,
    description: 'The certificate, in PEM format.',
    example: DEVICE_PEM,
  })
  certificate: string;

  @ChoiceField(STATUSES, {
    column: false,
    description: 'Status of the certificate. An inactive certificate cannot be used to sign in.',
    default: 'active',
  })
  status?: (typeof STATUSES)[number];

  @ChoiceField(FILTER_TYPES, {
    column: false,
    description: 'Which topics devices can use in addition to their own. Default: `none`.',
    default: 'none',
    example: 'whitelist',
  })
  filterType?: (typeof FILTER_TYPES)[number];
}

@ApiSchema({
  name: 'ApplicationCertificatePatch',
  description: 'Changes to a certificate. Omitted properties keep their value.',
})
export class ApplicationCertificatePatch extends PartialType(
  PickType(ApplicationCertificate, [
    'status',
    'description',
    'certificate',
    'filterType',
    'pubTopics',
    'subTopics',
  ]),
) {}

export const ApplicationCertificates = pageOf(ApplicationCertificate, 'ApplicationCertificates', [
  'applicationId',
]);
