import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { Column, Entity, Index } from 'typeorm';
import { resourceRolesSchema, type ResourceRole } from '../../../platform/access/resource-roles.js';
import { SCOPES } from '../../../platform/access/scope-schema.js';
import {
  ID_EXAMPLE,
  AliasField,
  ChoiceField,
  DateField,
  ID_PATTERN,
  IdField,
  JsonField,
  StringField,
  type JsonSchema,
} from '../../../platform/fields/fields.js';
import { pageOf } from '../../../platform/lists/page.js';
import { ROLE, type Role } from '../../../platform/operations/operation.js';
import { Resource } from '../../../platform/repositories/resource.js';

/** Role cap of a token in one organization. */
export interface OrgRole {
  orgId: string;
  role: Role;
  applicationRoles?: ResourceRole[];
  dashboardRoles?: ResourceRole[];
}

const ORG_ROLES: JsonSchema = {
  type: 'array',
  maxItems: 25,
  items: {
    title: 'OrgRole',
    type: 'object',
    additionalProperties: false,
    required: ['orgId', 'role'],
    description: 'Maximum role of a token in one organization.',
    properties: {
      orgId: {
        oneOf: [
          { type: 'string', pattern: ID_PATTERN },
          { type: 'string', enum: ['sandbox'] },
        ],
        description: 'ID of the organization, or `sandbox` for the applications in your own sandbox.',
        example: ID_EXAMPLE,
      },
      role: { allOf: [ROLE], description: 'Role of the caller at that place.' },
      applicationRoles: {
        ...resourceRolesSchema(),
        description: 'Maximum roles on individual applications, which take precedence over `role`.',
      },
      dashboardRoles: {
        ...resourceRolesSchema(),
        description: 'Maximum roles on individual dashboards, which take precedence over `role`.',
      },
    },
  },
};

@ApiSchema({
  name: 'ApiToken',
  description:
    'A long-lived token for programmatic access on behalf of a user, an application or an instance.',
})
@Entity('api_tokens')
@Index('api_tokens_by_owner_name', ['ownerId', 'name', 'id'])
@Index('api_tokens_by_owner_creation', ['ownerId', 'creationDate', 'id'])
@Index('api_tokens_by_owner_change', ['ownerId', 'lastUpdated', 'id'])
@Index('api_tokens_by_owner_expiration', ['ownerId', 'expirationDate', 'id'])
@Index('api_tokens_by_owner_status', ['ownerId', 'status', 'id'])
@Index('api_tokens_by_owner', ['ownerId', 'id'])
export class ApiToken extends Resource {
  @AliasField('token')
  apiTokenId: string;

  @IdField({
    required: true,
    description: 'ID of the user, application or instance that the token acts for.',
  })
  ownerId: string;

  @ChoiceField(['application', 'user', 'instance'], {
    title: 'ApiTokenOwnerType',
    required: true,
    description: 'Type of the owner.',
    example: 'user',
  })
  ownerType: 'application' | 'user' | 'instance';

  @IdField({ required: true, description: 'ID of the user, API token or workflow that created the token.' })
  creatorId: string;

  @ChoiceField(['apiToken', 'user', 'flow'], {
    required: true,
    description: 'Type of the creator.',
    example: 'user',
  })
  creatorType: 'apiToken' | 'user' | 'flow';

  @StringField({
    maxLength: 1024,
    description: 'Name of the creator when the token was created.',
    example: 'Ada Lovelace',
  })
  creatorName?: string;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Display name of the token; does not have to be unique.',
    example: 'Nightly report',
  })
  name: string;

  @StringField({
    maxLength: 32767,
    description: "Free-text description of the token's purpose.",
    example: 'Reads device counts every night',
  })
  description?: string;

  @DateField({ description: 'Time at which the token expires, in UTC. If absent, the token never expires.' })
  expirationDate?: Date;

  @JsonField(
    { type: 'array', items: { type: 'string', minLength: 1, maxLength: 1024 } },
    {
      required: true,
      description: 'Scopes of the token. They determine which operations it can call.',
      example: ['all.User.read'],
    },
  )
  scope: string[];

  @ChoiceField(['active', 'inactive'], {
    required: true,
    description: 'Status of the token. Requests with an inactive token are rejected.',
  })
  status: 'active' | 'inactive';

  @ChoiceField(ROLE, {
    example: 'view',
    description:
      "Maximum role of the token. For a user's token, applies to organizations that `orgRoles` does not list. For other tokens, applies to their application or instance. If absent, the token has the role of its owner.",
  })
  defaultRole?: Role;

  @JsonField(ORG_ROLES, {
    sampled: false,
    description: 'Maximum roles in individual organizations. Only for tokens of users.',
  })
  orgRoles?: OrgRole[];

  @StringField({
    secret: true,
    column: false,
    minLength: 1,
    description: 'The token itself. Returned only when the token is created.',
    example: 'eyJhbGciOiJFUzI1NiJ9…',
  })
  token?: string;

  /** SHA-256 hash of the token, in hexadecimal. */
  @Column({ type: 'text' })
  tokenHash: string;
}

@ApiSchema({ name: 'ApiTokenPost', description: 'Properties of a new API token.' })
export class ApiTokenPost extends PickType(ApiToken, [
  'name',
  'description',
  'expirationDate',
  'defaultRole',
  'orgRoles',
]) {
  @JsonField(SCOPES, {
    column: false,
    description:
      "Scopes of the new token, which must be covered by those of the token that creates it. Default for a user's token: the same scopes. Default for other tokens: all scopes of applications (`all.Application`) or instances (`all.Instance`).",
    example: ['all.User.read'],
  })
  scope?: string[];

  @ChoiceField(['active', 'inactive'], {
    column: false,
    description: 'Initial status of the token. An inactive token cannot be used until it is activated.',
    default: 'active',
  })
  status?: 'active' | 'inactive';
}

@ApiSchema({
  name: 'ApiTokenPatch',
  description: 'Changes to an API token. The scopes and the expiration date cannot be changed.',
})
export class ApiTokenPatch extends PartialType(
  PickType(ApiToken, ['name', 'description', 'defaultRole', 'orgRoles', 'status']),
) {}

export const ApiTokens = pageOf(ApiToken, 'ApiTokens', ['ownerId', 'ownerType']);
