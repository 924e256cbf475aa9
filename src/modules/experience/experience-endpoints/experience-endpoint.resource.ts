import { ApiPropertyOptional, ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AuthoredResource } from '../../../platform/repositories/authored.js';
import {
  AliasField,
  BooleanField,
  ChoiceField,
  ID_EXAMPLE,
  ID_PATTERN,
  IdField,
  JsonField,
  StringField,
} from '../../../platform/fields/fields.js';
import { holding } from '../../../platform/holdings/holding.js';
import { pageOf, UNPAGED } from '../../../platform/lists/page.js';
import { Application } from '../../applications/applications/application.resource.js';
import { EXPERIENCE_TAGS, TAGS_TOLD, type ExperienceTags } from '../experience-groups/experience-tags.js';
import { ExperienceVersion } from '../experience-versions/experience-version.resource.js';
import { REPLY, REPLY_OR_NONE, type ExperienceReply } from '../experience-versions/experience.schemas.js';
import { ENDPOINT_COMPUTED, LOGGED_NAME } from './endpoint.columns.js';
import { ACCESS_KINDS, ENDPOINT_GROUPS, GROUP_IDS, METHODS } from './endpoint.schemas.js';

const STATIC_REPLY = 'What is answered at once; a workflow that replies is then not waited for.';
const UNAUTHORIZED_REPLY =
  'What is answered to who may not ask; absent, what the version of the experience says.';

/** What `develop` has of an endpoint, and versions keep of it. */
export abstract class EndpointRow extends AuthoredResource {
  @AliasField('endpoint')
  experienceEndpointId: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'The application that it belongs to.' })
  applicationId: string;

  @ChoiceField(METHODS, { required: true, description: 'The verb that it answers.', example: 'get' })
  method: (typeof METHODS)[number];

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 1024,
    description:
      'The paths that it answers: text, `{name}` for any segment, at the end also `{name?}` for one or none and `{name*}` for all that follow.',
    example: '/pumps/{pumpId}',
  })
  route: string;

  @StringField({ maxLength: 32767, description: 'What it is for.', example: 'Shows a pump' })
  description?: string;

  @BooleanField({ required: true, description: 'Whether it answers; one that is off is passed over.' })
  enabled: boolean;

  @ChoiceField(ACCESS_KINDS, {
    required: true,
    description:
      'Who may ask: everybody, users who have signed in, users of its groups, or devices with their token.',
  })
  access: (typeof ACCESS_KINDS)[number];

  @JsonField(ENDPOINT_GROUPS, {
    column: false,
    required: true,
    description:
      'The groups whose users may ask, by name, with those of the groups above them; where there is none and `access` is `group`, nobody may.',
    example: [{ id: ID_EXAMPLE, name: 'Operators' }],
  })
  experienceGroups: { id: string; name: string }[];

  @StringField({
    maxLength: 255,
    description: 'Of `access` `device`: a template of the id of the device that may ask; absent, any may.',
    example: '{{request.params.pumpId}}',
  })
  deviceIdTemplate?: string;

  @JsonField(EXPERIENCE_TAGS, { required: true, description: TAGS_TOLD, example: { area: 'north' } })
  endpointTags: ExperienceTags;

  @JsonField(REPLY, { description: STATIC_REPLY })
  staticReply?: ExperienceReply | null;

  @JsonField(REPLY, { description: UNAUTHORIZED_REPLY })
  unauthorizedReply?: ExperienceReply | null;

  /** What the route matches (`RouteFacts`); those of `develop` stand in `experience_routes`, each once. */
  @Column({ type: 'text', array: true })
  patterns: string[];

  /** By this endpoints are in the order in which they are tried (`RouteFacts`). */
  @Column({ type: 'text' })
  precedence: string;
}

/** An address of an experience, as it is being developed. */
@ApiSchema({
  name: 'ExperienceEndpoint',
  description: 'An address of an experience, where workflows and pages answer its users.',
})
@Entity('experience_endpoints')
@Index('experience_endpoints_by_application', ['applicationId', 'id'])
export class ExperienceEndpoint extends EndpointRow {}

/** An endpoint as a version of the experience keeps it, under the same id. */
@Entity('experience_endpoint_versions')
@Index('experience_endpoint_versions_by_application', ['applicationId'])
@Index('experience_endpoint_versions_by_id', ['versionId', 'id'])
export class ExperienceEndpointVersion extends EndpointRow {
  @ForeignKey(() => ExperienceVersion, { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'text' })
  versionId: string;
}

export const EXPERIENCE_ENDPOINTS = holding(ExperienceEndpoint, {
  table: 'experience_endpoints',
  title: 'Experience endpoint',
  audited: { type: 'ExperienceEndpoint', name: LOGGED_NAME },
  count: 'experienceEndpointCount',
  limit: 'experienceendpoint',
  computed: ENDPOINT_COMPUTED,
});

export const EXPERIENCE_ENDPOINT_VERSIONS = holding(ExperienceEndpointVersion, {
  table: 'experience_endpoint_versions',
  title: 'Experience endpoint',
});

/** What a body may say of an endpoint. */
class Given extends PickType(ExperienceEndpoint, ['method', 'route', 'description', 'deviceIdTemplate']) {
  @BooleanField({ column: false, description: 'Whether it answers.' })
  enabled?: boolean;

  @ChoiceField(ACCESS_KINDS, { column: false, description: 'Who may ask.' })
  access?: (typeof ACCESS_KINDS)[number];

  @JsonField(GROUP_IDS, {
    column: false,
    description: 'The groups whose users may ask, all of them.',
    example: [ID_EXAMPLE],
  })
  experienceGroupIds?: readonly string[];

  @JsonField(EXPERIENCE_TAGS, { column: false, description: TAGS_TOLD, example: { area: 'north' } })
  endpointTags?: ExperienceTags;

  @JsonField(REPLY_OR_NONE, {
    column: false,
    description: `${STATIC_REPLY} \`null\` for none.`,
  })
  staticReply?: ExperienceReply | null;

  @JsonField(REPLY_OR_NONE, {
    column: false,
    description: `${UNAUTHORIZED_REPLY} \`null\` for none.`,
  })
  unauthorizedReply?: ExperienceReply | null;
}

@ApiSchema({
  name: 'ExperienceEndpointPost',
  description: 'A new endpoint. Unless it is said otherwise, it answers, and everybody may ask.',
})
export class ExperienceEndpointPost extends Given {}

@ApiSchema({
  name: 'ExperienceEndpointPatch',
  description: 'Changes to an endpoint; what is absent stays as it is, and lists are replaced whole.',
})
export class ExperienceEndpointPatch extends PartialType(Given) {}

@ApiSchema({ name: 'ExperienceEndpoints', description: 'The endpoints of an experience, all at once.' })
export class ExperienceEndpoints extends pageOf(
  ExperienceEndpoint,
  'ExperienceEndpointsWhole',
  ['applicationId'],
  ['totalCount', ...UNPAGED],
) {
  @ApiPropertyOptional({
    type: 'string',
    pattern: ID_PATTERN,
    description: 'The group that was asked for, where one was.',
    example: ID_EXAMPLE,
  })
  experienceGroupId?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    description: 'How many requests no endpoint answered, where `requestCountDuration` was given.',
    example: 3,
  })
  notFoundRequestCount?: number;
}
