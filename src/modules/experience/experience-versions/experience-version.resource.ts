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
import { MADE_VERSIONS, VERSION_COMPUTED } from './experience-version.columns.js';
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

/** An experience as it was frozen under a name, or as it is being developed. */
@ApiSchema({
  name: 'ExperienceVersion',
  description:
    'An experience under a name: its endpoints, views and workflows as they were then, and settings. `develop` is the one that is being developed.',
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
  @IdField({ required: true, description: 'The application that it belongs to.' })
  applicationId: string;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Its name, unique in the application.',
    example: 'v1.4.0',
  })
  version: string;

  @StringField({ maxLength: 32767, description: 'What is new in it.', example: 'A page of alarms' })
  description?: string;

  @BooleanField({
    required: true,
    description: 'Whether its endpoints answer pages of other origins.',
    example: false,
  })
  endpointDefaultCors: boolean;

  @JsonField(CORS_ORIGINS, {
    required: true,
    description: 'The origins whose pages may read answers; empty for all where `endpointDefaultCors` is on.',
    example: ['https://pumps.example.com'],
  })
  allowedCorsOrigins: readonly string[];

  @JsonField(EXPERIENCE_GLOBALS, {
    required: true,
    description:
      'Values that its workflows can read, each key once. Whoever sees the application sees them: secrets belong in its service credentials.',
  })
  globals: readonly ExperienceGlobal[];

  @JsonField(REPLY, { description: 'What is answered where no endpoint is meant.' })
  notFoundReply?: ExperienceReply | null;

  @JsonField(REPLY, { description: 'What is answered to who may not call an endpoint.' })
  unauthorizedReply?: ExperienceReply | null;

  @JsonField(RESPONSE_HEADERS, {
    required: true,
    description: 'Headers of every answer, by name.',
    example: { 'x-frame-options': 'DENY' },
  })
  responseHeaders: Readonly<Record<string, string>>;

  @JsonField(attached('domainName', 'AttachedDomain', 'pumps.example.com'), {
    column: false,
    required: true,
    description: 'The domains that point at it, by name, 1,000 at most.',
  })
  attachedDomains: { id: string; domainName: string }[];

  @JsonField(attached('slug', 'AttachedSlug', 'pump-station'), {
    column: false,
    required: true,
    description: 'The slugs that point at it, by name, 1,000 at most.',
  })
  attachedSlugs: { id: string; slug: string }[];
}

/** The settings of a version, each of which a body may give. */
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
    description: 'What is answered where no endpoint is meant; `null` for a plain 404.',
  })
  notFoundReply?: ExperienceReply | null;

  @JsonField(REPLY_OR_NONE, {
    column: false,
    description: 'What is answered to who may not call an endpoint; `null` for a plain 401.',
  })
  unauthorizedReply?: ExperienceReply | null;
}

const pointed = (what: string) =>
  JsonField(
    { type: 'array', maxItems: 1000, items: { type: 'string', pattern: ID_PATTERN } },
    { column: false, description: `The ${what} that are to point at it from now on.`, example: [ID_EXAMPLE] },
  );

@ApiSchema({
  name: 'ExperienceVersionPost',
  description: 'A new version, of what `develop` is now. Settings that are absent are those of `develop`.',
})
export class ExperienceVersionPost extends ExperienceVersionSettings {
  @StringField({
    column: false,
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Its name, new in the application; neither `develop` nor like an id.',
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
  description: 'Changes to a version; what is absent stays as it is, and lists are replaced whole.',
})
export class ExperienceVersionPatch extends ExperienceVersionSettings {
  @StringField({
    column: false,
    minLength: 1,
    maxLength: 255,
    description:
      'Of `develop` alone: the name or the id of a version whose endpoints, views, workflows and settings take the place of those of `develop`.',
    example: 'v1.3.0',
  })
  sourceVersionIdOrName?: string;
}

export const EXPERIENCE_VERSIONS = holding(ExperienceVersion, {
  table: 'experience_versions',
  title: 'Experience version',
  audited: { type: 'ExperienceVersion', name: 't.version' },
  count: 'experienceVersionCount',
  counted: MADE_VERSIONS,
  limit: 'experienceversion',
  taken: { experience_versions_name: 'experienceVersion.version is not available' },
  computed: VERSION_COMPUTED,
});

export const ExperienceVersions = pageOf(
  ExperienceVersion,
  'ExperienceVersions',
  ['applicationId', 'totalCount'],
  [],
);
