import { ApiSchema, getSchemaPath, PickType } from '@nestjs/swagger';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ResourceRolesField, type ResourceRole } from '../../../platform/access/resource-roles.js';
import {
  BooleanField,
  ChoiceField,
  DateField,
  IdField,
  IntegerField,
  StringField,
  type JsonSchema,
} from '../../../platform/fields/fields.js';
import { INVITE_TTL_SECONDS } from '../../../platform/counts/summaries.js';
import { ROLE, type Role } from '../../../platform/operations/operation.js';
import { Org } from './org.resource.js';

/** Maximum number of invitations of an organization, including expired ones; they are all returned in one response. */
export const MAX_INVITES = 1000;

/** Whether an invitation has expired. */
export const hasExpired = ({ inviteDate }: { inviteDate: Date }): boolean =>
  inviteDate.getTime() + INVITE_TTL_SECONDS * 1000 <= Date.now();

/** Unanswered invitation to join an organization. */
@ApiSchema({ name: 'OrgInvite', description: 'An unanswered invitation to an organization.' })
@Entity('org_invites')
@Index('org_invites_email', ['orgId', 'email'], { unique: true })
export class OrgInvite {
  @PrimaryColumn({ type: 'text' })
  @IdField({ required: true, column: false, description: 'ID of the invitation, 24 hexadecimal digits.' })
  id: string;

  @ForeignKey(() => Org, { onDelete: 'CASCADE' })
  @Column({ type: 'text' })
  orgId: string;

  /** Canonical form: lower case. */
  @Index('org_invites_by_email')
  @StringField({
    required: true,
    maxLength: 1024,
    format: 'email',
    description: 'Email address of the invited user.',
    example: 'ada@example.com',
  })
  email: string;

  @ChoiceField(ROLE, {
    required: true,
    description: 'Role of the user after accepting the invitation.',
    example: 'edit',
  })
  role: Role;

  @ResourceRolesField('applications', { required: true })
  applicationRoles: ResourceRole[];

  @ResourceRolesField('dashboards', { required: true })
  dashboardRoles: ResourceRole[];

  @BooleanField({
    required: true,
    description:
      'Has no effect; kept for compatibility. An invitation is always bound to the address that it was sent to.',
  })
  disallowTransfer: boolean;

  @DateField({ required: true, description: 'Time at which the invitation was last sent, in UTC.' })
  inviteDate: Date;

  @IntegerField({
    column: false,
    minimum: 0,
    description: 'Validity of the invitation, in seconds from `inviteDate`.',
    example: INVITE_TTL_SECONDS,
  })
  ttl: number;

  @BooleanField({ column: false, description: 'Whether the invitation has expired.', example: false })
  hasExpired: boolean;

  /** SHA-256 hash of the token in the e-mail, in hexadecimal. */
  @Column({ type: 'text' })
  tokenHash: string;

  /** Sender of the invitation, as of that time. */
  @Column({ type: 'text', nullable: true })
  invitedByEmail: string | null;

  @Column({ type: 'text', nullable: true })
  invitedByName: string | null;

  /** Whether the invited user has hidden the invitation from their list; the e-mail remains valid. */
  @Column({ type: 'boolean', default: false })
  dismissed: boolean;
}

@ApiSchema({ name: 'OrgInvitePost', description: 'Email address and roles of a user to invite.' })
export class OrgInvitePost extends PickType(OrgInvite, ['email', 'role']) {
  @ResourceRolesField('applications', { column: false })
  applicationRoles?: ResourceRole[];

  @ResourceRolesField('dashboards', { column: false })
  dashboardRoles?: ResourceRole[];

  @BooleanField({
    column: false,
    description:
      'Has no effect; accepted for compatibility. An invitation is always bound to the address that it was sent to.',
    default: false,
  })
  disallowTransfer?: boolean;
}

/** Schema of the invitations of an organization, as a plain array. */
export const ORG_INVITES: JsonSchema = {
  title: 'OrgInvites',
  type: 'array',
  description: 'Unanswered invitations of an organization, newest first.',
  items: { $ref: getSchemaPath(OrgInvite) },
};
