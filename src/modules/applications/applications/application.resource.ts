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

/** Options for the daily commit of an application export to a repository. */
export interface ArchivedExport {
  credentialName: string;
  includeDevices?: boolean;
  includeFiles?: boolean;
  includePrivateFiles?: boolean;
  includeDataTableRows?: boolean;
  repo?: { branch?: string; directory?: string; commitMessage?: string };
}

/** An application, which contains devices, workflows, an experience and related resources. */
@ApiSchema({
  name: 'Application',
  description: 'An application contains devices, workflows, an experience and related resources.',
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

  @IdField({ description: 'ID of the user or organization that owns the application.', required: true })
  ownerId: string;

  @ChoiceField(['user', 'organization'], {
    example: 'organization',
    description: 'Type of the owner. `user` indicates a personal sandbox.',
    required: true,
  })
  ownerType: 'user' | 'organization';

  @StringField({
    minLength: 1,
    maxLength: 255,
    description: 'Display name of the application; does not have to be unique.',
    example: 'Pump station',
    required: true,
  })
  name: string;

  @StringField({
    maxLength: 1024,
    description: "Free-text description of the application's purpose.",
    example: 'Everything about the pumps of the north field',
  })
  description?: string;

  @StringField({
    column: false,
    minLength: 1,
    maxLength: 255,
    description: 'Name of the organization that owns the application. Absent in a sandbox.',
    example: 'North Field',
  })
  organizationName?: string;

  @StringField({
    column: false,
    maxLength: 64,
    description: 'Color of the organization in user interfaces. Absent in a sandbox.',
    example: '#4CAF50',
  })
  organizationIconColor?: string;

  @JsonField(GLOBALS, {
    description:
      'Values that every workflow of the application can read, with unique keys. Visible to everyone with access to the application: store secrets in service credentials instead.',
  })
  globals?: ApplicationGlobal[];

  @BooleanField({ description: 'Whether the experience accepts cross-origin requests by default.' })
  endpointDefaultCors?: boolean;

  @StringField({
    minLength: 3,
    maxLength: 63,
    pattern: '^[0-9a-z-]*$',
    description:
      "Name used in the address of the application's experience, unique on the platform. Always one of the application's experience slugs: a change to either updates the other.",
    example: 'pump-station',
  })
  endpointSlug?: string | null;

  @DateField({ description: 'Tokens of experience users issued before this time are rejected.' })
  expUserTokenCutoff?: Date;

  @IntegerField({
    minimum: 3600,
    maximum: 604800,
    description: 'Validity of links to blobs, in seconds.',
    example: 86400,
  })
  blobUrlTTL?: number;

  @JsonField(
    { type: 'array', maxItems: 1000, items: { type: 'string', pattern: ID_PATTERN } },
    {
      description: 'IDs of the templates from which the application was created or that were applied to it.',
      example: [ID_EXAMPLE],
    },
  )
  appliedTemplateIds?: string[];

  @JsonField(ARCHIVE_CONFIG, {
    description: 'Archive settings. Only for applications of an organization.',
  })
  archiveConfig?: ArchiveConfig;

  @JsonField(TOUR_STEPS, { description: 'State of guided tours shown in user interfaces.' })
  ftueTracking?: object[];

  @JsonField(applicationSummary.schema('ApplicationSummary'), {
    column: false,
    required: true,
    description: "Counts of the application's resources, as selected by the request.",
  })
  summary: object;

  /** Secrets of `archiveConfig`, encrypted. */
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

  /** Set on deletion; a job then removes the contents of the application. */
  @Index('applications_deleted', { where: 'deleted_at IS NOT NULL' })
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deletedAt: Date | null;
}

@ApiSchema({ name: 'ApplicationPost', description: 'Properties of a new application.' })
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
  @IdField({
    column: false,
    description:
      'ID of the organization that will own the application. If absent, the application is created in your sandbox.',
  })
  orgId?: string;

  @IdField({
    column: false,
    description:
      'ID of the template to create the application from. Properties in the request take precedence over those of the template.',
  })
  applicationTemplateId?: string;
}

@ApiSchema({
  name: 'ApplicationPatch',
  description: 'Changes to an application. Omitted properties keep their value.',
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
      'Archive settings, or `null` to disable archiving. Replaces the previous settings, except that an omitted secret is kept if the type of storage is unchanged. Changing the bucket, region, account or `accessKeyId` requires the secret again. The settings are tested before they are saved.',
  })
  archiveConfig?: ArchiveConfig | null;
}

export const Applications = pageOf(Application, 'Applications');

@ApiSchema({ name: 'ApplicationReadme', description: 'The readme of an application.' })
export class ApplicationReadme {
  @IdField({ column: false, required: true, description: 'ID of the application that the readme describes.' })
  applicationId: string;

  @StringField({
    column: false,
    required: true,
    description: 'Markdown text of the readme. Empty if no readme has been written.',
    example: '# Pump station',
  })
  content: string;

  @DateField({ column: false, description: 'Time of the last change, in UTC.' })
  lastUpdated?: Date;

  @IdField({
    column: false,
    description: 'ID of the user, API token or workflow that last changed the readme.',
  })
  lastUpdatedById?: string;

  @ChoiceField(['flow', 'user', 'apiToken'], {
    column: false,
    description: 'Type of the author of the last change.',
    example: 'user',
  })
  lastUpdatedByType?: string;
}

@ApiSchema({ name: 'ApplicationReadmePatch', description: 'New text of a readme.' })
export class ApplicationReadmePatch {
  @StringField({
    column: false,
    maxLength: 131072,
    description: 'Markdown text of the readme.',
    example: '# Pump station',
  })
  content?: string;
}
