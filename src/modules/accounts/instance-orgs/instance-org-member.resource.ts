import { ApiSchema, OmitType } from '@nestjs/swagger';
import { resourceRolesSchema, type ResourceRole } from '../../../platform/access/resource-roles.js';
import { ID_EXAMPLE, ID_PATTERN, IdField, type JsonSchema } from '../../../platform/fields/fields.js';
import { pageOf, UNPAGED } from '../../../platform/lists/page.js';
import { ROLE, type Role } from '../../../platform/operations/operation.js';
import { OrgMemberView } from '../orgs/org.resource.js';

@ApiSchema({
  name: 'InstanceOrgMember',
  description: 'A member of an organization, for those who run its instance.',
})
export class InstanceOrgMember extends OmitType(OrgMemberView, ['applicationRoles', 'dashboardRoles']) {
  @IdField({ column: false, required: true, description: 'The instance.' })
  instanceId: string;

  @IdField({ column: false, required: true, description: 'The organization.' })
  orgId: string;
}

export const InstanceOrgMembers = pageOf(
  InstanceOrgMember,
  'InstanceOrgMembers',
  ['instanceId', 'orgId'],
  UNPAGED,
);

const MEMBER_ROLES = {
  role: { allOf: [ROLE], description: 'Their role.' },
  applicationRoles: { ...resourceRolesSchema(), description: 'Other roles on single applications.' },
  dashboardRoles: { ...resourceRolesSchema(), description: 'Other roles on single dashboards.' },
};

/** Somebody who is to be a member: a user by their id, or whoever has an e-mail address. */
export const INSTANCE_ORG_MEMBER_POST: JsonSchema = {
  title: 'InstanceOrgMemberPost',
  description: 'A new member: a user by their id, or somebody by their e-mail address.',
  oneOf: [
    {
      title: 'InstanceOrgMemberById',
      type: 'object',
      additionalProperties: false,
      required: ['userId', 'role'],
      description: 'A user by their id.',
      properties: {
        userId: { type: 'string', pattern: ID_PATTERN, description: 'The user.', example: ID_EXAMPLE },
        ...MEMBER_ROLES,
      },
    },
    {
      title: 'InstanceOrgMemberByEmail',
      type: 'object',
      additionalProperties: false,
      required: ['email', 'role'],
      description: 'Somebody by their e-mail address.',
      properties: {
        email: {
          type: 'string',
          format: 'email',
          maxLength: 1024,
          description: 'Their e-mail address.',
          example: 'ada@example.com',
        },
        disallowTransfer: {
          type: 'boolean',
          description: 'Kept for clients: an invitation is always for the address that it was sent to.',
        },
        ...MEMBER_ROLES,
      },
    },
  ],
};

/** Roles in an organization, those that are given. */
export interface OrgRoleInfo {
  role?: Role;
  applicationRoles?: ResourceRole[];
  dashboardRoles?: ResourceRole[];
}
export type InstanceOrgMemberPatch = OrgRoleInfo & { role: Role };
export type InstanceOrgMemberById = InstanceOrgMemberPatch & { userId: string };
export type InstanceOrgMemberByEmail = InstanceOrgMemberPatch & {
  email: string;
  disallowTransfer?: boolean;
};
export type InstanceOrgMemberPost = InstanceOrgMemberById | InstanceOrgMemberByEmail;

export const isById = (member: InstanceOrgMemberPost): member is InstanceOrgMemberById => 'userId' in member;

export const INSTANCE_ORG_MEMBER_PATCH: JsonSchema = {
  title: 'InstanceOrgMemberPatch',
  type: 'object',
  additionalProperties: false,
  required: ['role'],
  description: "A member's role, and changes to the others: of those, what is absent stays as it is.",
  properties: MEMBER_ROLES,
};

/** The roles of an invitation that is sent again. */
export const ORG_ROLE_INFO: JsonSchema = {
  title: 'OrgRoleInfo',
  type: 'object',
  additionalProperties: false,
  description: 'Roles in an organization; what is absent stays as it is.',
  properties: MEMBER_ROLES,
};
