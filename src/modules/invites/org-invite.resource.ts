import { ApiSchema } from '@nestjs/swagger';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import {
  BooleanField,
  ChoiceField,
  DateField,
  IdField,
  IntegerField,
  JsonField,
  StringField,
} from '../../platform/fields.js';
import { ROLE, type Role } from '../../platform/operation.js';
import { Org, resourceRolesSchema, type ResourceRole } from '../orgs/org.resource.js';

/** How long an invitation lives, in seconds: seven days. */
export const INVITE_TTL_SECONDS = 7 * 86_400;

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
