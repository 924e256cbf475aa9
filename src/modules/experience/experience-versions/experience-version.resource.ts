import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { Entity, ForeignKey, Index } from 'typeorm';
import { AuthoredResource } from '../../../platform/repositories/authored.js';
import {
  AliasField,
  BooleanField,
  ID_EXAMPLE,
  ID_PATTERN,
  IdField,
  JsonField,
  StringField,
} from '../../../platform/fields/fields.js';
import { holding } from '../../../platform/holdings/holding.js';
import { pageOf } from '../../../platform/lists/page.js';
import { Application } from '../../applications/applications/application.resource.js';
import { CREATED_VERSIONS, VERSION_COMPUTED } from './experience-version.columns.js';
import {
  attached,
  CORS_ORIGINS,
  EXPERIENCE_GLOBALS,
  REPLY,
  REPLY_OR_NONE,
  RESPONSE_HEADERS,
  type ExperienceGlobal,
  type ExperienceReply,
} from './experience.schemas.js';

/** A snapshot of an experience under a name, or `develop`, the version under development. */
@ApiSchema({
  name: 'ExperienceVersion',
  description:
    'A named version of an experience: a snapshot of its endpoints, views and workflows, and its settings. `develop` is the version under development.',
})
@Entity('experience_versions')
@Index('experience_versions_name', ['applicationId', 'version'], { unique: true })
@Index('experience_versions_by_version', ['applicationId', 'version', 'id'])
@Index('experience_versions_by_creation', ['applicationId', 'creationDate', 'id'])
@Index('experience_versions_by_change', ['applicationId', 'lastUpdated', 'id'])
@Index('experience_versions_by_application', ['applicationId', 'id'])
export class ExperienceVersion extends AuthoredResource {
  @AliasField('version')
  experienceVersionId: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'ID of the application that owns the experience.' })
  applicationId: string;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Name of the version, unique in the application.',
    example: 'v1.4.0',
  })
  version: string;

  @StringField({
    maxLength: 32767,
    description: 'Description of the changes in this version.',
    example: 'A page of alarms',
  })
  description?: string;

  @BooleanField({
    required: true,
    description: 'Whether endpoints allow cross-origin requests (CORS).',
    example: false,
  })
  endpointDefaultCors: boolean;

  @JsonField(CORS_ORIGINS, {
    required: true,
    description: 'Origins allowed to read responses; empty allows all if `endpointDefaultCors` is `true`.',
    example: ['https://pumps.example.com'],
  })
  allowedCorsOrigins: readonly string[];

  @JsonField(EXPERIENCE_GLOBALS, {
    required: true,
    description:
      'Values that workflows of the experience can read. Keys are unique. They are visible to everyone with access to the application; store secrets in service credentials.',
  })
  globals: readonly ExperienceGlobal[];

  @JsonField(REPLY, { description: 'Response if no endpoint matches the request.' })
  notFoundReply?: ExperienceReply | null;

  @JsonField(REPLY, { description: 'Response to unauthorized requests.' })
  unauthorizedReply?: ExperienceReply | null;

  @JsonField(RESPONSE_HEADERS, {
    required: true,
    description: 'Headers of every response, by name.',
    example: { 'x-frame-options': 'DENY' },
  })
  responseHeaders: Readonly<Record<string, string>>;

  @JsonField(attached('domainName', 'AttachedDomain', 'pumps.example.com'), {
    column: false,
    required: true,
    description: 'Domains that point to the version, sorted by name, at most 1,000.',
  })
  attachedDomains: { id: string; domainName: string }[];

  @JsonField(attached('slug', 'AttachedSlug', 'pump-station'), {
    column: false,
    required: true,
    description: 'Slugs that point to the version, sorted by name, at most 1,000.',
  })
  attachedSlugs: { id: string; slug: string }[];
}

/** Settings of a version in request bodies. */
export class ExperienceVersionSettings extends PartialType(
  PickType(ExperienceVersion, [
    'description',
    'endpointDefaultCors',
    'allowedCorsOrigins',
    'globals',
    'responseHeaders',
  ]),
) {
  @JsonField(REPLY_OR_NONE, {
    column: false,
    description: 'Response if no endpoint matches the request; `null` for a plain `404`.',
  })
  notFoundReply?: ExperienceReply | null;

  @JsonField(REPLY_OR_NONE, {
    column: false,
    description: 'Response to unauthorized requests; `null` for a plain `401`.',
  })
  unauthorizedReply?: ExperienceReply | null;
}

const pointed = (what: string) =>
  JsonField(
    { type: 'array', maxItems: 1000, items: { type: 'string', pattern: ID_PATTERN } },
    { column: false, description: `The ${what} to point to this version.`, example: [ID_EXAMPLE] },
  );

@ApiSchema({
  name: 'ExperienceVersionPost',
  description:
    'Properties of a new version, a snapshot of `develop`. Omitted settings are copied from `develop`.',
})
export class ExperienceVersionPost extends ExperienceVersionSettings {
  @StringField({
    column: false,
    required: true,
    minLength: 1,
    maxLength: 255,
    description:
      'Name of the version, unique in the application. Must not be `develop` or have the form of an ID.',
    example: 'v1.4.0',
  })
  version: string;

  @pointed('domains')
  domainIds?: readonly string[];

  @pointed('slugs')
  slugIds?: readonly string[];
}

@ApiSchema({
  name: 'ExperienceVersionPatch',
  description: 'Changes to a version. Omitted properties keep their value. Arrays are replaced, not merged.',
})
export class ExperienceVersionPatch extends ExperienceVersionSettings {
  @StringField({
    column: false,
    minLength: 1,
    maxLength: 255,
    description:
      'For `develop` only: name or ID of a version whose endpoints, views, workflows and settings replace those of `develop`.',
    example: 'v1.3.0',
  })
  sourceVersionIdOrName?: string;
}

export const EXPERIENCE_VERSIONS = holding(ExperienceVersion, {
  table: 'experience_versions',
  title: 'Experience version',
  audited: { type: 'ExperienceVersion', name: 't.version' },
  count: 'experienceVersionCount',
  counted: CREATED_VERSIONS,
  limit: 'experienceversion',
  conflictMessages: { experience_versions_name: 'experienceVersion.version is not available' },
  computed: VERSION_COMPUTED,
});

export const ExperienceVersions = pageOf(
  ExperienceVersion,
  'ExperienceVersions',
  ['applicationId', 'totalCount'],
  [],
);
