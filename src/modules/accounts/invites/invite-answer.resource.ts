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

/** Properties of an invitation shown to the invited user. */
class InviteDetails {
  @StringField({
    column: false,
    required: true,
    minLength: 1,
    maxLength: 255,
    description: 'Display name of the organization.',
    example: 'North Field',
  })
  orgName: string;

  @ChoiceField(ROLE, {
    column: false,
    required: true,
    description: 'Role of the user after accepting the invitation.',
    example: 'edit',
  })
  role: Role;

  @DateField({
    column: false,
    required: true,
    description: 'Time at which the invitation was last sent, in UTC.',
  })
  inviteDate: Date;

  @IntegerField({
    column: false,
    required: true,
    minimum: 0,
    description: 'Validity of the invitation, in seconds from `inviteDate`.',
    example: INVITE_TTL_SECONDS,
  })
  ttl: number;
}

@ApiSchema({ name: 'OrgInviteInfo', description: 'An invitation as described in its email.' })
export class OrgInviteInfo extends InviteDetails {
  @StringField({
    column: false,
    required: true,
    maxLength: 1024,
    format: 'email',
    description: 'Email address of the invited user.',
    example: 'ada@example.com',
  })
  email: string;

  @BooleanField({
    column: false,
    required: true,
    description:
      'Has no effect; returned for compatibility. An invitation is always bound to the address that it was sent to.',
  })
  disallowTransfer: boolean;
}

@ApiSchema({
  name: 'OrgInviteAction',
  description: 'Response to an invitation, with the token from its email.',
})
export class OrgInviteAction extends PickType(OrgInviteInfo, ['email']) {
  @StringField({
    secret: true,
    column: false,
    required: true,
    minLength: 1,
    description: 'Token from the email.',
    example: TOKEN_EXAMPLE,
  })
  token: string;

  @BooleanField({
    column: false,
    required: true,
    description: 'Whether to accept (`true`) or decline (`false`) the invitation.',
  })
  accept: boolean;
}

@ApiSchema({ name: 'OrgInviteResult', description: 'Result of responding to an invitation.' })
export class OrgInviteResult {
  @IdField({ column: false, required: true, description: 'ID of the organization.' })
  orgId: string;

  @BooleanField({ column: false, required: true, description: 'Whether the invitation was accepted.' })
  accepted: boolean;
}

@ApiSchema({ name: 'OrgInviteUserBy', description: 'User who sent the invitation.' })
class InvitedBy {
  @StringField({
    column: false,
    maxLength: 1024,
    format: 'email',
    description: 'Email address of the user.',
    example: 'ada@example.com',
  })
  email?: string;

  @StringField({ column: false, description: 'Full name of the user.', example: 'Ada Lovelace' })
  fullName?: string;
}

@ApiSchema({ name: 'OrgInviteUser', description: 'An invitation addressed to you.' })
export class OrgInviteUser extends InviteDetails {
  @IdField({ column: false, required: true, description: 'ID of the invitation, 24 hexadecimal digits.' })
  id: string;

  @BooleanField({
    column: false,
    required: true,
    description: 'Whether the invitation has expired.',
    example: false,
  })
  expired: boolean;

  @ObjectField(() => InvitedBy, { column: false, required: true, description: 'User who invited you.' })
  invitedBy: InvitedBy;

  @BooleanField({
    column: false,
    required: true,
    description:
      'Whether the organization requires two-factor authentication for the role. Members without it have no access to the organization.',
    example: false,
  })
  requiresMFA: boolean;
}

/** Schema of the invitations of a user, as a plain array. */
export const ORG_INVITES_USER: JsonSchema = {
  title: 'OrgInvitesUser',
  type: 'array',
  description: 'Your invitations, newest first.',
  items: { $ref: getSchemaPath(OrgInviteUser) },
};

export const INVITE_ACTIONS = ['accept', 'dismiss', 'reject'] as const;
const RESULTS = ['accepted', 'dismissed', 'rejected'] as const;

@ApiSchema({ name: 'OrgInviteActionUser', description: 'Your response to an invitation.' })
export class OrgInviteActionUser {
  @ChoiceField(INVITE_ACTIONS, {
    column: false,
    required: true,
    description:
      'Response to the invitation. `accept` makes you a member and `reject` deletes the invitation. `dismiss` hides the invitation from your list, but its email remains valid.',
  })
  action: (typeof INVITE_ACTIONS)[number];
}

@ApiSchema({ name: 'OrgInviteResultUser', description: 'Result of responding to your invitation.' })
export class OrgInviteResultUser {
  @IdField({ column: false, required: true, description: 'ID of the organization.' })
  orgId: string;

  @ChoiceField(RESULTS, { column: false, required: true, description: 'Result of the response.' })
  result: (typeof RESULTS)[number];
}
