import { ApiSchema, PickType } from '@nestjs/swagger';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import {
  ChoiceField,
  ID_EXAMPLE,
  ID_PATTERN,
  IdField,
  type JsonSchema,
} from '../../../platform/fields/fields.js';
import { pageOf, UNPAGED } from '../../../platform/lists/page.js';
import { OrgMemberView } from '../orgs/org.resource.js';
import { Instance } from '../instances/instance.resource.js';
import { User } from '../users/user.entity.js';

const ROLES = ['admin', 'view'] as const;
export type InstanceMemberRole = (typeof ROLES)[number];
const ROLE_DESCRIPTION = 'Role in the instance: `admin` can manage it, `view` can only read it.';

/** Maximum number of members of an instance; they are all returned in one response. */
export const MAX_MEMBERS = 1000;

/** User with a role in an instance. */
@Entity('instance_members')
export class InstanceMember {
  @ForeignKey(() => Instance, { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'text' })
  instanceId: string;

  @Index('instance_members_by_user')
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'text' })
  userId: string;

  @Column({ type: 'enum', enum: ROLES, enumName: 'instance_role' })
  role: InstanceMemberRole;
}

@ApiSchema({
  name: 'InstanceMember',
  description: 'A user with a role in an instance.',
})
export class InstanceMemberView extends PickType(OrgMemberView, [
  'userId',
  'email',
  'firstName',
  'lastName',
  'avatarUrl',
  'twoFactorAuthEnabled',
  'ssoLinked',
]) {
  @IdField({ column: false, required: true, description: 'ID of the instance that the user is a member of.' })
  instanceId: string;

  @ChoiceField(ROLES, {
    title: 'InstanceRole',
    column: false,
    required: true,
    description: ROLE_DESCRIPTION,
    example: 'view',
  })
  role: InstanceMemberRole;
}

export interface InstanceMemberPost {
  userId?: string;
  email?: string;
  role: InstanceMemberRole;
}

export const INSTANCE_MEMBER_POST: JsonSchema = {
  title: 'InstanceMemberPost',
  type: 'object',
  additionalProperties: false,
  description: 'An existing user to add as a member, identified by ID or email address.',
  anyOf: [{ required: ['role', 'email'] }, { required: ['role', 'userId'] }],
  properties: {
    userId: {
      type: 'string',
      pattern: ID_PATTERN,
      description: 'ID of the user to add.',
      example: ID_EXAMPLE,
    },
    email: {
      type: 'string',
      format: 'email',
      maxLength: 1024,
      description: 'Email address of the user. If `userId` is also set, both must identify the same user.',
      example: 'ada@example.com',
    },
    role: {
      title: 'InstanceRole',
      type: 'string',
      enum: ROLES,
      description: ROLE_DESCRIPTION,
      example: 'view',
    },
  },
};

@ApiSchema({ name: 'InstanceMemberPatch', description: 'New role of a member.' })
export class InstanceMemberPatch extends PickType(InstanceMemberView, ['role']) {}

export const InstanceMembers = pageOf(InstanceMemberView, 'InstanceMembers', ['instanceId'], UNPAGED);
