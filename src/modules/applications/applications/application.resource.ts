import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { Column, Entity, Index } from 'typeorm';
import { applicationSummary } from '../../../platform/counts/summaries.js';
import {
  AliasField,
  BooleanField,
  ChoiceField,
  DateField,
  IdField,
  IntegerField,
  JsonField,
  ID_EXAMPLE,
  ID_PATTERN,
  StringField,
} from '../../../platform/fields/fields.js';
import { pageOf } from '../../../platform/lists/page.js';
import { Resource } from '../../../platform/repositories/resource.js';
import { ARCHIVE_CONFIG, GLOBALS, TOUR_STEPS } from './application.schemas.js';

export interface ApplicationGlobal {
  key: string;
  json: string;
  description?: string;
  cloudOnly?: boolean;
}

export interface ApplicationGlobalChange extends Omit<ApplicationGlobal, 'json'> {
  json?: string | null;
}

type ArchiveMode = 'all' | 'whitelist' | 'blacklist';

export interface ArchiveConfig {
  mode?: ArchiveMode;
  deviceIds?: string[];
  deviceTags?: { key?: string; value?: string }[];
  includeDevices?: boolean;
  includeEvents?: boolean;
  includeDataTables?: boolean;
  dataTablesMode?: ArchiveMode;
  dataTableIds?: string[];
  directory?: string;
  delayDays?: number;
  credentialName?: string;
  s3?: { bucket: string; region?: string; accessKeyId?: string; secretAccessKey?: string };
  gcs?: { bucket: string; projectId?: string; keyJson?: string };
  azure?: { bucket: string; account?: string; accountKey?: string };
  includeApplicationExport?: boolean;
  applicationExportOptions?: ArchivedExport;
}

/** The commit to a repository that an application makes of itself each day. */
export interface ArchivedExport {
  credentialName: string;
  includeDevices?: boolean;
  includeFiles?: boolean;
  includePrivateFiles?: boolean;
  includeDataTableRows?: boolean;
  repo?: { branch?: string; directory?: string; commitMessage?: string };
}

/** An application: what holds devices, workflows, an experience and all that belongs to them. */
@ApiSchema({
  name: 'Application',
  description: 'What holds devices, workflows, an experience and all that belongs to them.',
})
@Entity('applications')
@Index('applications_of_owner_by_name', ['ownerId', 'name', 'id'], { where: 'deleted_at IS NULL' })
@Index('applications_of_owner_by_creation', ['ownerId', 'creationDate', 'id'], {
  where: 'deleted_at IS NULL',
})
@Index('applications_of_owner_by_change', ['ownerId', 'lastUpdated', 'id'], { where: 'deleted_at IS NULL' })
@Index('applications_by_owner', ['ownerId', 'id'])
@Index('applications_archived', ['id'], { where: 'archive_config IS NOT NULL AND deleted_at IS NULL' })
@Index('applications_slug', ['endpointSlug'], { unique: true, where: 'endpoint_slug IS NOT NULL' })
export class Application extends Resource {
  @AliasField('application')
  applicationId: string;

  @IdField({ description: 'The user or organization that owns it.', required: true })
  ownerId: string;

  @ChoiceField(['user', 'organization'], {
    description: 'What the owner is: `user` is a personal sandbox.',
    required: true,
  })
  ownerType: 'user' | 'organization';

  @StringField({
    minLength: 1,
    maxLength: 255,
    description: 'Its name.',
    example: 'Pump station',
    required: true,
  })
  name: string;

  @StringField({
    maxLength: 1024,
    description: 'What it is for.',
    example: 'Everything about the pumps of the north field',
  })
  description?: string;

  @StringField({
    column: false,
    minLength: 1,
    maxLength: 255,
    description: 'The name of the organization that owns it.',
    example: 'North Field',
  })
  organizationName?: string;

  @StringField({
    column: false,
    maxLength: 64,
    description: "That organization's colour in user interfaces.",
    example: '#4CAF50',
  })
  organizationIconColor?: string;

  @JsonField(GLOBALS, {
    description:
      'Values that every workflow of the application can read, each key once. Whoever sees the application sees them: secrets belong in its service credentials.',
  })
  globals?: ApplicationGlobal[];

  @BooleanField({ description: 'Whether its experience answers requests of other origins by default.' })
  endpointDefaultCors?: boolean;

  @StringField({
    minLength: 3,
    maxLength: 63,
    pattern: '^[0-9a-z-]*$',
    description:
      'A name for the address of its experience, unique on the platform. It is one of its experience slugs, whichever of the two is changed.',
    example: 'pump-station',
  })
  endpointSlug?: string | null;

  @DateField({ description: 'Tokens of experience users from before this time are void.' })
  expUserTokenCutoff?: Date;

  @IntegerField({
    minimum: 3600,
    maximum: 604800,
    description: 'How long links to blobs live, in seconds.',
    example: 86400,
  })
  blobUrlTTL?: number;

  @JsonField(
    { type: 'array', maxItems: 1000, items: { type: 'string', pattern: ID_PATTERN } },
    { description: 'The templates that it was made from or that were applied to it.', example: [ID_EXAMPLE] },
  )
  appliedTemplateIds?: string[];

  @JsonField(ARCHIVE_CONFIG, {
    description: 'How its data is archived. Only for applications of an organization.',
  })
  archiveConfig?: ArchiveConfig;

  @JsonField(TOUR_STEPS, { description: 'Guided tours that were shown to its users.' })
  ftueTracking?: object[];

  @JsonField(applicationSummary.schema('ApplicationSummary'), {
    column: false,
    required: true,
    description: 'Counts of what it holds, as asked for.',
  })
  summary: object;

  /** The secrets of `archiveConfig`, encrypted. */
  @Column({ type: 'text', nullable: true })
  archiveSecrets: string | null;

  @Column({ type: 'text', default: '' })
  readme: string;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  readmeUpdated: Date | null;

  @Column({ type: 'text', nullable: true })
  readmeUpdatedById: string | null;

  @Column({ type: 'text', nullable: true })
  readmeUpdatedByType: string | null;

  /** Set when it was deleted; a job then removes what belonged to it. */
  @Index('applications_deleted', { where: 'deleted_at IS NOT NULL' })
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deletedAt: Date | null;
}

@ApiSchema({ name: 'ApplicationPost', description: 'A new application.' })
export class ApplicationPost extends PickType(Application, [
  'name',
  'description',
  'globals',
  'endpointDefaultCors',
  'endpointSlug',
  'expUserTokenCutoff',
  'blobUrlTTL',
  'appliedTemplateIds',
  'archiveConfig',
]) {
  @IdField({ column: false, description: 'The organization that will own it; absent, your own sandbox.' })
  orgId?: string;

  @IdField({
    column: false,
    description:
      'The template to make it from: it has all that the template holds, and what is given here goes before.',
  })
  applicationTemplateId?: string;
}

@ApiSchema({
  name: 'ApplicationPatch',
  description: 'Changes to an application; what is absent stays as it is.',
})
export class ApplicationPatch extends PartialType(
  PickType(Application, [
    'name',
    'description',
    'globals',
    'endpointDefaultCors',
    'endpointSlug',
    'expUserTokenCutoff',
    'blobUrlTTL',
    'ftueTracking',
  ]),
) {
  @JsonField(ARCHIVE_CONFIG, {
    column: false,
    nullable: true,
    description:
      'How its data is archived; `null` ends that. Replaces the whole, but secrets that are absent stay where the kind of place does. It is tried before it is kept.',
  })
  archiveConfig?: ArchiveConfig | null;
}

export const Applications = pageOf(Application, 'Applications');

@ApiSchema({ name: 'ApplicationReadme', description: "An application's readme." })
export class ApplicationReadme {
  @IdField({ column: false, required: true, description: 'The application.' })
  applicationId: string;

  @StringField({
    column: false,
    required: true,
    description: 'The text, Markdown. Empty when none was written.',
    example: '# Pump station',
  })
  content: string;

  @DateField({ column: false, description: 'When it was last changed.' })
  lastUpdated?: Date;

  @IdField({ column: false, description: 'Who changed it last.' })
  lastUpdatedById?: string;

  @ChoiceField(['flow', 'user', 'apiToken'], {
    column: false,
    description: 'What that was.',
    example: 'user',
  })
  lastUpdatedByType?: string;
}

@ApiSchema({ name: 'ApplicationReadmePatch', description: 'A new readme.' })
export class ApplicationReadmePatch {
  @StringField({
    column: false,
    maxLength: 131072,
    description: 'The text, Markdown.',
    example: '# Pump station',
  })
  content?: string;
}
