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
const ROLE_MEANING = 'What they may do: run the instance, or look at how it is run.';

/** An instance shows all of its members, so it has no more than these. */
export const MOST_MEMBERS = 1000;

/** A user who runs an instance or may look at how it is run. */
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
  description: 'A user who runs an instance or may look at how it is run.',
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
  @IdField({ column: false, required: true, description: 'The instance.' })
  instanceId: string;

  @ChoiceField(ROLES, { column: false, required: true, description: ROLE_MEANING })
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
  description: 'A new member: a user who exists, by id or e-mail address.',
  anyOf: [{ required: ['role', 'email'] }, { required: ['role', 'userId'] }],
  properties: {
    userId: { type: 'string', pattern: ID_PATTERN, description: 'The user.', example: ID_EXAMPLE },
    email: {
      type: 'string',
      format: 'email',
      maxLength: 1024,
      description: 'Their e-mail address; with `userId`, both must be of the same user.',
      example: 'ada@example.com',
    },
    role: { type: 'string', enum: ROLES, description: ROLE_MEANING, example: 'view' },
  },
};

@ApiSchema({ name: 'InstanceMemberPatch', description: 'The role of a member.' })
export class InstanceMemberPatch extends PickType(InstanceMemberView, ['role']) {}

export const InstanceMembers = pageOf(InstanceMemberView, 'InstanceMembers', ['instanceId'], UNPAGED);
