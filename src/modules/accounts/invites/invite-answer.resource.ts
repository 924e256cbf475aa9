import { ApiSchema, getSchemaPath, PickType } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  DateField,
  IdField,
  IntegerField,
  ObjectField,
  StringField,
  type JsonSchema,
} from '../../../platform/fields/fields.js';
import { ROLE, type Role } from '../../../platform/operations/operation.js';
import { INVITE_TTL_SECONDS } from '../../../platform/counts/summaries.js';

export const TOKEN_EXAMPLE = '2zPyTnBbmEd6jQ0m9h5Jm1cC0b8Yk1c0o3vV4w5x6y7';

/** What an invitation says to whom it is for. */
class InviteFacts {
  @StringField({
    column: false,
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'The organization.',
    example: 'North Field',
  })
  orgName: string;

  @ChoiceField(ROLE, {
    column: false,
    required: true,
    description: 'The role that they will have.',
    example: 'edit',
  })
  role: Role;

  @DateField({ column: false, required: true, description: 'When it was sent last.' })
  inviteDate: Date;

  @IntegerField({
    column: false,
    required: true,
    minimum: 0,
    description: 'How long it lives, in seconds from `inviteDate`.',
    example: INVITE_TTL_SECONDS,
  })
  ttl: number;
}

@ApiSchema({ name: 'OrgInviteInfo', description: 'An invitation, as its mail shows it.' })
export class OrgInviteInfo extends InviteFacts {
  @StringField({
    column: false,
    required: true,
    maxLength: 1024,
    format: 'email',
    description: 'Who is invited.',
    example: 'ada@example.com',
  })
  email: string;

  @BooleanField({
    column: false,
    required: true,
    description: 'Kept for clients: an invitation is always for the address that it was sent to.',
  })
  disallowTransfer: boolean;
}

@ApiSchema({ name: 'OrgInviteAction', description: 'An answer to an invitation, with what its mail says.' })
export class OrgInviteAction extends PickType(OrgInviteInfo, ['email']) {
  @StringField({
    secret: true,
    column: false,
    required: true,
    minLength: 1,
    description: 'The token in the mail.',
    example: TOKEN_EXAMPLE,
  })
  token: string;

  @BooleanField({ column: false, required: true, description: 'Whether to accept it, or to decline.' })
  accept: boolean;
}

@ApiSchema({ name: 'OrgInviteResult', description: 'What became of an invitation.' })
export class OrgInviteResult {
  @IdField({ column: false, required: true, description: 'The organization.' })
  orgId: string;

  @BooleanField({ column: false, required: true, description: 'Whether it was accepted.' })
  accepted: boolean;
}

@ApiSchema({ name: 'OrgInviteUserBy', description: 'Who invited.' })
class InvitedBy {
  @StringField({
    column: false,
    maxLength: 1024,
    format: 'email',
    description: 'Their e-mail address.',
    example: 'ada@example.com',
  })
  email?: string;

  @StringField({ column: false, description: 'Their name.', example: 'Ada Lovelace' })
  fullName?: string;
}

@ApiSchema({ name: 'OrgInviteUser', description: 'An invitation of yours.' })
export class OrgInviteUser extends InviteFacts {
  @IdField({ column: false, required: true, description: 'The id, 24 hexadecimal digits.' })
  id: string;

  @BooleanField({
    column: false,
    required: true,
    description: 'Whether it is too late to answer it.',
    example: false,
  })
  expired: boolean;

  @ObjectField(() => InvitedBy, { column: false, required: true, description: 'Who invited you.' })
  invitedBy: InvitedBy;

  @BooleanField({
    column: false,
    required: true,
    description:
      'Whether the organization asks members of the role for a second factor: without one you have no rights in it.',
    example: false,
  })
  requiresMFA: boolean;
}

/** Those of a user, as a plain list. */
export const ORG_INVITES_USER: JsonSchema = {
  title: 'OrgInvitesUser',
  type: 'array',
  description: 'Your invitations, newest first.',
  items: { $ref: getSchemaPath(OrgInviteUser) },
};

export const INVITE_ACTIONS = ['accept', 'dismiss', 'reject'] as const;
const RESULTS = ['accepted', 'dismissed', 'rejected'] as const;

@ApiSchema({ name: 'OrgInviteActionUser', description: 'Your answer to an invitation.' })
export class OrgInviteActionUser {
  @ChoiceField(INVITE_ACTIONS, {
    column: false,
    required: true,
    description:
      '`accept` and you are a member; `reject` and it is void; `dismiss` and you do not see it any more, though its mail still works.',
  })
  action: (typeof INVITE_ACTIONS)[number];
}

@ApiSchema({ name: 'OrgInviteResultUser', description: 'What became of your invitation.' })
export class OrgInviteResultUser {
  @IdField({ column: false, required: true, description: 'The organization.' })
  orgId: string;

  @ChoiceField(RESULTS, { column: false, required: true, description: 'What became of it.' })
  result: (typeof RESULTS)[number];
}
