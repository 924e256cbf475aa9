import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { AUTHORITY_PEM, SERVER_PEM } from '../../../lib/crypto/certificate-examples.js';
import { AliasField, IdField, StringField } from '../../../platform/fields/fields.js';
import { holding } from '../../../platform/holdings/holding.js';
import { pageOf } from '../../../platform/lists/page.js';
import { Resource } from '../../../platform/repositories/resource.js';
import { Application } from '../../applications/applications/application.resource.js';
import { POINTED_VERSION } from '../experience-versions/experience-version.columns.js';
import { ExperienceVersion } from '../experience-versions/experience-version.resource.js';

/** A domain at which an experience is to be found, and what proves that it is the one of that domain. */
@ApiSchema({
  name: 'ExperienceDomain',
  description: 'A domain of an experience, and the version that is to answer there.',
})
@Entity('experience_domains')
@Index('experience_domains_name', ['domainName'], { unique: true })
@Index('experience_domains_by_name', ['applicationId', 'domainName', 'id'])
@Index('experience_domains_by_version', ['versionId', 'domainName'])
export class ExperienceDomain extends Resource {
  @AliasField('domain')
  experienceDomainId: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'The application that it belongs to.' })
  applicationId: string;

  @StringField({
    required: true,
    minLength: 3,
    maxLength: 45,
    description:
      'Its name, unique on the platform, in lower case. `*.` in place of the first label stands for any.',
    example: 'pumps.example.com',
  })
  domainName: string;

  @StringField({
    column: false,
    minLength: 1,
    maxLength: 255,
    description: 'The name of the version that it points at; absent where it points at none.',
    example: 'develop',
  })
  version?: string;

  @StringField({
    minLength: 50,
    maxLength: 32767,
    description: 'The certificate of the domain, PEM.',
    example: SERVER_PEM,
  })
  sslCert?: string | null;

  @StringField({
    minLength: 50,
    maxLength: 32767,
    description: 'The certificates above it, PEM, each of who signed the one before.',
    example: AUTHORITY_PEM,
  })
  sslBundle?: string | null;

  /** The version that it points at; none once that is deleted. */
  @ForeignKey(() => ExperienceVersion, { onDelete: 'SET NULL' })
  @Column({ type: 'text', nullable: true })
  versionId: string | null;

  /** The private key of `sslCert`, PEM, encrypted. */
  @Column({ type: 'text', nullable: true })
  sslKeySealed: string | null;
}

export const EXPERIENCE_DOMAINS = holding(ExperienceDomain, {
  table: 'experience_domains',
  title: 'Experience domain',
  audited: { type: 'ExperienceDomain', name: 't.domain_name' },
  count: 'experienceDomainCount',
  limit: 'experiencedomain',
  taken: { experience_domains_name: 'experienceDomain.domainName is not available' },
  computed: [POINTED_VERSION],
});

const KEY =
  'The private key of the certificate, PEM, not encrypted by a passphrase. It is kept encrypted and never shown.';
const KEY_EXAMPLE =
  '-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEH…\n-----END PRIVATE KEY-----\n';
const VERSION = 'The version that it is to point at, by name or id';

@ApiSchema({ name: 'ExperienceDomainPost', description: 'A new domain.' })
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
    description: `${VERSION}; absent or \`null\`, none.`,
    example: 'v1.4.0',
  })
  version?: string | null;
}

@ApiSchema({
  name: 'ExperienceDomainPatch',
  description: 'Changes to a domain; what is absent stays as it is.',
})
export class ExperienceDomainPatch extends PartialType(PickType(ExperienceDomain, ['domainName'])) {
  @StringField({
    column: false,
    nullable: true,
    minLength: 50,
    maxLength: 32767,
    description: 'The certificate of the domain, PEM; `null` for none.',
    example: SERVER_PEM,
  })
  sslCert?: string | null;

  @StringField({
    secret: true,
    column: false,
    nullable: true,
    minLength: 50,
    maxLength: 32767,
    description: `${KEY} \`null\` for none.`,
    example: KEY_EXAMPLE,
  })
  sslKey?: string | null;

  @StringField({
    column: false,
    nullable: true,
    minLength: 50,
    maxLength: 32767,
    description: 'The certificates above it, PEM, each of who signed the one before; `null` for none.',
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
