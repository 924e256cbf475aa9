import { ApiSchema, getSchemaPath, PickType } from '@nestjs/swagger';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { resourceRolesSchema, type ResourceRole } from '../../../platform/access/resource-roles.js';
import {
  BooleanField,
  ChoiceField,
  DateField,
  IdField,
  IntegerField,
  JsonField,
  StringField,
  type JsonSchema,
} from '../../../platform/fields/fields.js';
import { INVITE_TTL_SECONDS } from '../../../platform/counts/summaries.js';
import { ROLE, type Role } from '../../../platform/operations/operation.js';
import { Org } from './org.resource.js';

/** An organization shows all of its invitations, so it has no more than these, with those that have expired. */
export const MOST_INVITES = 1000;

/** Whether it is too late to answer an invitation. */
export const hasExpired = ({ inviteDate }: { inviteDate: Date }): boolean =>
  inviteDate.getTime() + INVITE_TTL_SECONDS * 1000 <= Date.now();

/** Somebody who was asked to join an organization and has not answered yet. */
@ApiSchema({ name: 'OrgInvite', description: 'An invitation to an organization that is not answered yet.' })
@Entity('org_invites')
@Index('org_invites_email', ['orgId', 'email'], { unique: true })
export class OrgInvite {
  @PrimaryColumn({ type: 'text' })
  @IdField({ required: true, column: false, description: 'The id, 24 hexadecimal digits.' })
  id: string;

  @ForeignKey(() => Org, { onDelete: 'CASCADE' })
  @Column({ type: 'text' })
  orgId: string;

  /** Canonical: lower case. */
  @Index('org_invites_by_email')
  @StringField({
    required: true,
    maxLength: 1024,
    format: 'email',
    description: 'Who is invited.',
    example: 'ada@example.com',
  })
  email: string;

  @ChoiceField(ROLE, { required: true, description: 'The role that they will have.', example: 'edit' })
  role: Role;

  @JsonField(resourceRolesSchema(), {
    required: true,
    description: 'Other roles on single applications.',
  })
  applicationRoles: ResourceRole[];

  @JsonField(resourceRolesSchema(), { required: true, description: 'Other roles on single dashboards.' })
  dashboardRoles: ResourceRole[];

  @BooleanField({
    required: true,
    description: 'Kept for clients: an invitation is always for the address that it was sent to.',
  })
  disallowTransfer: boolean;

  @DateField({ required: true, description: 'When it was sent last.' })
  inviteDate: Date;

  @IntegerField({
    column: false,
    minimum: 0,
    description: 'How long it lives, in seconds from `inviteDate`.',
    example: INVITE_TTL_SECONDS,
  })
  ttl: number;

  @BooleanField({ column: false, description: 'Whether it is too late to accept it.', example: false })
  hasExpired: boolean;

  /** SHA-256 of the token in the mail, hexadecimal. */
  @Column({ type: 'text' })
  tokenHash: string;

  /** Who invited, as they were then. */
  @Column({ type: 'text', nullable: true })
  invitedByEmail: string | null;

  @Column({ type: 'text', nullable: true })
  invitedByName: string | null;

  /** The invited user does not want to see it among theirs; the mail still works. */
  @Column({ type: 'boolean', default: false })
  dismissed: boolean;
}

@ApiSchema({ name: 'OrgInvitePost', description: 'Whom to invite, and what their roles will be.' })
export class OrgInvitePost extends PickType(OrgInvite, ['email', 'role']) {
  @JsonField(resourceRolesSchema(), { column: false, description: 'Other roles on single applications.' })
  applicationRoles?: ResourceRole[];

  @JsonField(resourceRolesSchema(), { column: false, description: 'Other roles on single dashboards.' })
  dashboardRoles?: ResourceRole[];

  @BooleanField({
    column: false,
    description: 'Kept for clients: an invitation is always for the address that it was sent to.',
    default: false,
  })
  disallowTransfer?: boolean;
}

/** Those of an organization, as a plain list. */
export const ORG_INVITES: JsonSchema = {
  title: 'OrgInvites',
  type: 'array',
  description: 'The invitations of an organization that are not answered, newest first.',
  items: { $ref: getSchemaPath(OrgInvite) },
};
