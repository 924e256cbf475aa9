import { ApiSchema, OmitType } from '@nestjs/swagger';
import {
  resourceRolesNote,
  resourceRolesSchema,
  type ResourceRole,
} from '../../../platform/access/resource-roles.js';
import { ID_EXAMPLE, ID_PATTERN, IdField, type JsonSchema } from '../../../platform/fields/fields.js';
import { pageOf, UNPAGED } from '../../../platform/lists/page.js';
import { ROLE, type Role } from '../../../platform/operations/operation.js';
import { OrgMemberView } from '../orgs/org.resource.js';

@ApiSchema({
  name: 'InstanceOrgMember',
  description: 'A member of an organization, as managed through its instance.',
})
export class InstanceOrgMember extends OmitType(OrgMemberView, ['applicationRoles', 'dashboardRoles']) {
  @IdField({
    column: false,
    required: true,
    description: 'ID of the instance that the organization belongs to.',
  })
  instanceId: string;

  @IdField({
    column: false,
    required: true,
    description: 'ID of the organization that the user is a member of.',
  })
  orgId: string;
}

export const InstanceOrgMembers = pageOf(
  InstanceOrgMember,
  'InstanceOrgMembers',
  ['instanceId', 'orgId'],
  UNPAGED,
);

const MEMBER_ROLES = {
  role: { allOf: [ROLE], description: 'Role in the organization.' },
  applicationRoles: {
    ...resourceRolesSchema(),
    description: resourceRolesNote('applications'),
  },
  dashboardRoles: {
    ...resourceRolesSchema(),
    description: resourceRolesNote('dashboards'),
  },
};

/** Schema of a new member: a user identified by ID or e-mail address. */
export const INSTANCE_ORG_MEMBER_POST: JsonSchema = {
  title: 'InstanceOrgMemberPost',
  description: 'A new member, identified by user ID or email address.',
  oneOf: [
    {
      title: 'InstanceOrgMemberById',
      type: 'object',
      additionalProperties: false,
      required: ['userId', 'role'],
      description: 'A user identified by ID.',
      properties: {
        userId: {
          type: 'string',
          pattern: ID_PATTERN,
          description: 'ID of the user to add.',
          example: ID_EXAMPLE,
        },
        ...MEMBER_ROLES,
      },
    },
    {
      title: 'InstanceOrgMemberByEmail',
      type: 'object',
      additionalProperties: false,
      required: ['email', 'role'],
      description: 'A user identified by email address.',
      properties: {
        email: {
          type: 'string',
          format: 'email',
          maxLength: 1024,
          description: 'Email address of the user.',
          example: 'ada@example.com',
        },
        disallowTransfer: {
          type: 'boolean',
          description:
            'Has no effect; accepted for compatibility. An invitation is always bound to the address that it was sent to.',
        },
        ...MEMBER_ROLES,
      },
    },
  ],
};

/** Roles in an organization; only those to be set. */
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
  description:
    'Role of a member, and changes to their individual roles. Omitted individual roles keep their value.',
  properties: MEMBER_ROLES,
};

/** Schema of the roles of a resent invitation. */
export const ORG_ROLE_INFO: JsonSchema = {
  title: 'OrgRoleInfo',
  type: 'object',
  additionalProperties: false,
  description: 'Roles in an organization. Omitted properties keep their value.',
  properties: MEMBER_ROLES,
};
