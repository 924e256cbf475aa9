import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { AUTHORITY_PEM, SERVER_PEM } from '../../../lib/crypto/certificate-examples.js';
import { AliasField, IdField, StringField } from '../../../platform/fields/fields.js';
import { holding } from '../../../platform/holdings/holding.js';
import { pageOf } from '../../../platform/lists/page.js';
import { Resource } from '../../../platform/repositories/resource.js';
import { Application } from '../../applications/applications/application.resource.js';
import { REFERENCED_VERSION } from '../experience-versions/experience-version.columns.js';
import { ExperienceVersion } from '../experience-versions/experience-version.resource.js';

/** A domain of an experience, with the certificate that authenticates it. */
@ApiSchema({
  name: 'ExperienceDomain',
  description: 'A domain of an experience and the version that it serves.',
})
@Entity('experience_domains')
@Index('experience_domains_name', ['domainName'], { unique: true })
@Index('experience_domains_by_name', ['applicationId', 'domainName', 'id'])
@Index('experience_domains_by_version', ['versionId', 'domainName'])
@Index('experience_domains_by_parent', { synchronize: false })
export class ExperienceDomain extends Resource {
  @AliasField('domain')
  experienceDomainId: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'ID of the application that owns the domain.' })
  applicationId: string;

  @StringField({
    required: true,
    minLength: 3,
    maxLength: 45,
    description: 'Domain name in lower case, unique on the platform. `*.` as the first label is a wildcard.',
    example: 'pumps.example.com',
  })
  domainName: string;

  @StringField({
    column: false,
    minLength: 1,
    maxLength: 255,
    description: 'Name of the version that the domain points to; absent for none.',
    example: 'develop',
  })
  version?: string;

  @StringField({
    minLength: 50,
    maxLength: 32767,
    description: 'Certificate of the domain, PEM.',
    example: SERVER_PEM,
  })
  sslCert?: string | null;

  @StringField({
    minLength: 50,
    maxLength: 32767,
    description: 'Intermediate and root certificates, PEM. Each one signed the preceding certificate.',
    example: AUTHORITY_PEM,
  })
  sslBundle?: string | null;

  /** ID of the version that the domain points to; `null` for none or after its deletion. */
  @ForeignKey(() => ExperienceVersion, { onDelete: 'SET NULL' })
  @Column({ type: 'text', nullable: true })
  versionId: string | null;

  /** Private key of `sslCert`, PEM, encrypted. */
  @Column({ type: 'text', nullable: true })
  sslKeySealed: string | null;

  /** When the TXT record of the name was seen; `null` if it has not been required. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  verifiedAt: Date | null;
}

export const EXPERIENCE_DOMAINS = holding(ExperienceDomain, {
  table: 'experience_domains',
  title: 'Experience domain',
  audited: { type: 'ExperienceDomain', name: 't.domain_name' },
  count: 'experienceDomainCount',
  limit: 'experiencedomain',
  conflictMessages: { experience_domains_name: 'experienceDomain.domainName is not available' },
  computed: [REFERENCED_VERSION],
});

const KEY = 'Private key of the certificate, PEM, without a passphrase. Stored encrypted and never returned.';
const KEY_EXAMPLE =
  '-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEH…\n-----END PRIVATE KEY-----\n';
const VERSION = 'Name or ID of the version that the domain points to';

@ApiSchema({ name: 'ExperienceDomainPost', description: 'Properties of a new domain.' })
export class ExperienceDomainPost extends PickType(ExperienceDomain, ['domainName', 'sslCert', 'sslBundle']) {
  @StringField({
    secret: true,
    column: false,
    minLength: 50,
    maxLength: 32767,
    description: KEY,
    example: KEY_EXAMPLE,
  })
  sslKey?: string;

  @StringField({
    column: false,
    nullable: true,
    minLength: 1,
    maxLength: 255,
    description: `${VERSION}; absent or \`null\` for none.`,
    example: 'v1.4.0',
  })
  version?: string | null;
}

@ApiSchema({
  name: 'ExperienceDomainPatch',
  description: 'Changes to a domain. Omitted properties keep their value.',
})
export class ExperienceDomainPatch extends PartialType(PickType(ExperienceDomain, ['domainName'])) {
  @StringField({
    column: false,
    nullable: true,
    minLength: 50,
    maxLength: 32767,
    description: 'Certificate of the domain, PEM; `null` to remove it.',
    example: SERVER_PEM,
  })
  sslCert?: string | null;

  @StringField({
    secret: true,
    column: false,
    nullable: true,
    minLength: 50,
    maxLength: 32767,
    description: `${KEY} \`null\` removes it.`,
    example: KEY_EXAMPLE,
  })
  sslKey?: string | null;

  @StringField({
    column: false,
    nullable: true,
    minLength: 50,
    maxLength: 32767,
    description:
      'Intermediate and root certificates, PEM. Each one signed the preceding certificate. `null` removes them.',
    example: AUTHORITY_PEM,
  })
  sslBundle?: string | null;

  @StringField({
    column: false,
    nullable: true,
    minLength: 1,
    maxLength: 255,
    description: `${VERSION}; \`null\` for none.`,
    example: 'v1.4.0',
  })
  version?: string | null;
}

export const ExperienceDomains = pageOf(
  ExperienceDomain,
  'ExperienceDomains',
  ['applicationId', 'totalCount'],
  [],
);
