import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { Column, Entity, Index } from 'typeorm';
import { resourceRolesSchema, type ResourceRole } from '../../../platform/access/resource-roles.js';
import { SCOPES } from '../../../platform/access/scope-schema.js';
import {
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

/** A cap on what the token may do in one organization. */
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
    description: 'The most that a token may do in one organization.',
    properties: {
      orgId: {
        oneOf: [
          { type: 'string', pattern: ID_PATTERN },
          { type: 'string', enum: ['sandbox'] },
        ],
        description: 'The organization, or `sandbox` for your own applications.',
      },
      role: ROLE,
      applicationRoles: { ...resourceRolesSchema(), description: 'Other roles on single applications.' },
      dashboardRoles: { ...resourceRolesSchema(), description: 'Other roles on single dashboards.' },
    },
  },
};

@ApiSchema({ name: 'ApiToken', description: 'A token for programs.' })
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

  @IdField({ required: true, description: 'Who or what it acts for.' })
  ownerId: string;

  @ChoiceField(['application', 'user', 'instance'], {
    required: true,
    description: 'What the owner is.',
    example: 'user',
  })
  ownerType: 'application' | 'user' | 'instance';

  @IdField({ required: true, description: 'Who made it.' })
  creatorId: string;

  @ChoiceField(['apiToken', 'user', 'flow'], {
    required: true,
    description: 'What that was.',
    example: 'user',
  })
  creatorType: 'apiToken' | 'user' | 'flow';

  @StringField({ maxLength: 1024, description: 'Their name at the time.', example: 'Ada Lovelace' })
  creatorName?: string;

  @StringField({
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Its name.',
    example: 'Nightly report',
  })
  name: string;

  @StringField({
    maxLength: 32767,
    description: 'What it is for.',
    example: 'Reads device counts every night',
  })
  description?: string;

  @DateField({ description: 'When it stops working; absent, never.' })
  expirationDate?: Date;

  @JsonField(
    { type: 'array', items: { type: 'string', minLength: 1, maxLength: 1024 } },
    { required: true, description: 'What it may do.', example: ['all.User.read'] },
  )
  scope: string[];

  @ChoiceField(['active', 'inactive'], {
    required: true,
    description: 'An inactive token is refused everywhere at once.',
  })
  status: 'active' | 'inactive';

  @ChoiceField(ROLE, {
    example: 'view',
    description:
      "The most that it may do: of a user's token, in organizations that `orgRoles` does not name; of another, in its application or instance. Absent, as much as its owner.",
  })
  defaultRole?: Role;

  @JsonField(ORG_ROLES, { description: "The most that a user's token may do in single organizations." })
  orgRoles?: OrgRole[];

  @StringField({
    secret: true,
    column: false,
    minLength: 1,
    description: 'The token itself, shown once: in the answer that creates it.',
    example: 'eyJhbGciOiJFUzI1NiJ9…',
  })
  token?: string;

  /** SHA-256 of the token, hexadecimal. */
  @Column({ type: 'text' })
  tokenHash: string;
}

@ApiSchema({ name: 'ApiTokenPost', description: 'A new token.' })
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
      "What it may do; never more than the token that creates it. Absent: of a user's token, the same; of another, all that its application or instance may (`all.Application`, `all.Instance`).",
    example: ['all.User.read'],
  })
  scope?: string[];

  @ChoiceField(['active', 'inactive'], {
    column: false,
    description: 'Whether it works at once.',
    default: 'active',
  })
  status?: 'active' | 'inactive';
}

@ApiSchema({ name: 'ApiTokenPatch', description: 'Changes to a token; scope and expiry are fixed.' })
export class ApiTokenPatch extends PartialType(
  PickType(ApiToken, ['name', 'description', 'defaultRole', 'orgRoles', 'status']),
) {}

export const ApiTokens = pageOf(ApiToken, 'ApiTokens', ['ownerId', 'ownerType']);
