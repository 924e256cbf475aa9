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
import { EXPERIENCE_TAGS, TAGS_NOTE, type ExperienceTags } from '../experience-groups/experience-tags.js';
import { ExperienceVersion } from '../experience-versions/experience-version.resource.js';
import { REPLY, REPLY_OR_NONE, type ExperienceReply } from '../experience-versions/experience.schemas.js';
import { ENDPOINT_COMPUTED, LOGGED_NAME } from './endpoint.columns.js';
import { ACCESS_KINDS, ENDPOINT_GROUPS, GROUP_IDS, METHODS } from './endpoint.schemas.js';

const STATIC_REPLY = 'Response that is sent immediately, without waiting for the reply of a workflow.';
const UNAUTHORIZED_REPLY =
  'Response to unauthorized requests; defaults to that of the version of the experience.';

/** Properties of an endpoint in `develop` and in versions. */
export abstract class EndpointRow extends AuthoredResource {
  @AliasField('endpoint')
  experienceEndpointId: string;

  @ForeignKey(() => Application, { onDelete: 'CASCADE' })
  @IdField({ required: true, description: 'ID of the application that owns the experience.' })
  applicationId: string;

  @ChoiceField(METHODS, {
    required: true,
    description: 'HTTP method that the endpoint responds to.',
    example: 'get',
  })
  method: (typeof METHODS)[number];

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 1024,
    description:
      'Path pattern of the endpoint. `{name}` matches one segment. At the end, `{name?}` matches one segment or none and `{name*}` all remaining segments.',
    example: '/pumps/{pumpId}',
  })
  route: string;

  @StringField({
    maxLength: 32767,
    description: 'Free-text description of the endpoint.',
    example: 'Shows a pump',
  })
  description?: string;

  @BooleanField({
    required: true,
    description: 'Whether the endpoint is enabled. Disabled endpoints are skipped when requests are matched.',
  })
  enabled: boolean;

  @ChoiceField(ACCESS_KINDS, {
    required: true,
    example: 'authenticated',
    description:
      'Visitors with access: everyone, users who have signed in, users of its groups, or users of a group that contains the device of `deviceIdTemplate`.',
  })
  access: (typeof ACCESS_KINDS)[number];

  @JsonField(ENDPOINT_GROUPS, {
    column: false,
    required: true,
    description:
      'Groups whose users have access, including users of their ancestor groups, sorted by name. If empty and `access` is `group`, no user has access.',
    example: [],
  })
  experienceGroups: { id: string; name: string }[];

  @StringField({
    maxLength: 255,
    sampled: false,
    description:
      'Template of the ID of the device that a group of the user must contain if `access` is `device`. Without it, nobody has access.',
    example: '{{request.params.pumpId}}',
  })
  deviceIdTemplate?: string;

  @JsonField(EXPERIENCE_TAGS, { required: true, description: TAGS_NOTE, example: { area: 'north' } })
  endpointTags: ExperienceTags;

  @JsonField(REPLY, { sampled: false, description: STATIC_REPLY })
  staticReply?: ExperienceReply | null;

  @JsonField(REPLY, { description: UNAUTHORIZED_REPLY })
  unauthorizedReply?: ExperienceReply | null;

  /**
   * Patterns that the route matches (`RouteFacts`). Those of `develop` are unique and stored in `experience_routes`.
   */
  @Column({ type: 'text', array: true })
  patterns: string[];

  /** Sort key of the order in which endpoints are matched (`RouteFacts`). */
  @Column({ type: 'text' })
  precedence: string;
}

/** An endpoint of an experience in `develop`. */
@ApiSchema({
  name: 'ExperienceEndpoint',
  description: 'An endpoint of an experience, at which workflows and pages respond to requests.',
})
@Entity('experience_endpoints')
@Index('experience_endpoints_by_application', ['applicationId', 'id'])
export class ExperienceEndpoint extends EndpointRow {}

/** An endpoint in a version of the experience, with the same ID as in `develop`. */
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
  // Through a link table.
  after: ['experience_groups'],
});

export const EXPERIENCE_ENDPOINT_VERSIONS = holding(ExperienceEndpointVersion, {
  table: 'experience_endpoint_versions',
  title: 'Experience endpoint',
  // Through a link table.
  after: ['experience_groups'],
});

/** Properties of an endpoint in request bodies. */
class EndpointBody extends PickType(ExperienceEndpoint, [
  'method',
  'route',
  'description',
  'deviceIdTemplate',
]) {
  @BooleanField({ column: false, description: 'Whether the endpoint is enabled.' })
  enabled?: boolean;

  @ChoiceField(ACCESS_KINDS, { column: false, description: 'Callers that have access to the endpoint.' })
  access?: (typeof ACCESS_KINDS)[number];

  @JsonField(GROUP_IDS, {
    column: false,
    description: 'IDs of all groups whose users have access.',
    example: [ID_EXAMPLE],
  })
  experienceGroupIds?: readonly string[];

  @JsonField(EXPERIENCE_TAGS, { column: false, description: TAGS_NOTE, example: { area: 'north' } })
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
  description: 'Properties of a new endpoint. By default, it is enabled and everyone has access.',
})
export class ExperienceEndpointPost extends EndpointBody {}

@ApiSchema({
  name: 'ExperienceEndpointPatch',
  description:
    'Changes to an endpoint. Omitted properties keep their value. Arrays are replaced, not merged.',
})
export class ExperienceEndpointPatch extends PartialType(EndpointBody) {}

@ApiSchema({ name: 'ExperienceEndpoints', description: 'All endpoints of an experience, without paging.' })
export class ExperienceEndpoints extends pageOf(
  ExperienceEndpoint,
  'ExperienceEndpointsWhole',
  ['applicationId'],
  ['totalCount', ...UNPAGED],
) {
  @ApiPropertyOptional({
    type: 'string',
    pattern: ID_PATTERN,
    description: 'ID of the group that the request filtered by, if any.',
    example: ID_EXAMPLE,
  })
  experienceGroupId?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    description: 'Number of requests that no endpoint matched. Present if `requestCountDuration` is set.',
    example: 3,
  })
  notFoundRequestCount?: number;
}
