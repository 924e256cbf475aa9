import { ApiSchema, PartialType, PickType } from '@nestjs/swagger';
import { meSummary } from '../../../platform/counts/summaries.js';
import {
  AliasField,
  BooleanField,
  DateField,
  IntegerField,
  JsonField,
  ObjectField,
  StringField,
} from '../../../platform/fields/fields.js';
import { Resource } from '../../../platform/repositories/resource.js';
import { MAX_TTL_SECONDS } from '../../../platform/access/token-signer.js';
import { RECENT_ITEMS } from '../../../platform/recent/recent-kinds.js';
import { UserField } from '../users/user.fields.js';
import { NEW_PASSWORD } from '../users/user.rules.js';

const recent = (what: string) =>
  JsonField(RECENT_ITEMS, {
    column: false,
    description: `The ${what} that you viewed recently. Only present if requested with \`includeRecent\`.`,
  });

/** User, as visible to themselves. */
@ApiSchema({ name: 'Me', description: 'The current user.' })
export class Me extends Resource {
  @AliasField('user')
  userId: string;

  @UserField.email('Your email address, used to sign in.')
  email: string;

  @UserField.emailVerified('Whether your email address has been verified.')
  emailVerified: boolean;

  @UserField.needsToVerifyEmail('Whether you still have to verify your email address.')
  needsToVerifyEmail: boolean;

  @StringField({
    column: false,
    maxLength: 1024,
    format: 'email',
    sampled: false,
    description: 'New email address that you requested and that is not verified yet.',
    example: 'ada@example.org',
  })
  requestedEmail?: string;

  @UserField.firstName('Your first name.')
  firstName?: string;

  @UserField.lastName('Your last name.')
  lastName?: string;

  @UserField.fullName('Your first and last name.')
  fullName?: string;

  @UserField.companyName('Name of your company.')
  companyName?: string;

  @UserField.title('Your job title.')
  title?: string;

  @UserField.location('Your location, as free text.')
  location?: string;

  @UserField.phoneNumber('Your telephone number.')
  phoneNumber?: string;

  @UserField.url('URL of your website.')
  url?: string;

  @UserField.avatarUrl('URL of your profile picture.')
  avatarUrl?: string;

  @UserField.githubName('Your name at the linked code-hosting provider.')
  githubName?: string;

  @UserField.ssoLinked('Whether you sign in through an identity provider.')
  ssoLinked: boolean;

  @UserField.twoFactorAuthEnabled
  twoFactorAuthEnabled: boolean;

  @UserField.passwordLastUpdated('Time of your last password change, in UTC.')
  passwordLastUpdated?: Date;

  @UserField.tokenCutoff
  tokenCutoff?: Date;

  @UserField.limits('Resource limits of your sandbox.')
  limits?: object;

  @JsonField(meSummary.schema('MeSummary'), {
    column: false,
    required: true,
    description: 'Counts of your resources, as selected by the request.',
  })
  summary: object;

  @DateField({ column: false, description: 'Start of the current billing period, in UTC.' })
  currentPeriodStart?: Date;

  @DateField({ column: false, description: 'End of the current billing period, in UTC.' })
  currentPeriodEnd?: Date;

  @recent('applications')
  recentApplications?: object;

  @recent('dashboards')
  recentDashboards?: object;

  @recent('organizations')
  recentOrganizations?: object;
}

@ApiSchema({ name: 'CurrentCredentials', description: 'Your current credentials for signing in.' })
export class CurrentCredentials {
  @StringField({
    secret: true,
    column: false,
    required: true,
    minLength: 8,
    maxLength: 2048,
    description: 'Your current password.',
    example: 'Correct-Horse-7',
  })
  password: string;

  @StringField({
    secret: true,
    column: false,
    maxLength: 2048,
    description: 'Current two-factor code, if two-factor authentication is enabled.',
    example: '123456',
  })
  twoFactorCode?: string;
}

const newPassword = (description: string, required: boolean) =>
  StringField({
    secret: true,
    column: false,
    required,
    minLength: 12,
    maxLength: 2048,
    pattern: NEW_PASSWORD,
    description,
    example: 'Battery-Staple-9',
  });

@ApiSchema({
  name: 'MePatch',
  description: 'Changes to the current user. Omitted properties keep their value.',
})
export class MePatch extends PartialType(
  PickType(Me, [
    'firstName',
    'lastName',
    'companyName',
    'title',
    'location',
    'phoneNumber',
    'url',
    'email',
    'tokenCutoff',
  ]),
) {
  @newPassword(
    'New password: at least 12 characters, with upper and lower case, a digit and a symbol. Requires `currentCredentials`.',
    false,
  )
  password?: string;

  @ObjectField(() => CurrentCredentials, {
    column: false,
    description: 'Current credentials. Required to change `email` or `password`.',
  })
  currentCredentials?: CurrentCredentials;
}

@ApiSchema({ name: 'ChangePassword', description: 'A change of your password.' })
export class ChangePassword extends CurrentCredentials {
  @newPassword('New password: at least 12 characters, with upper and lower case, a digit and a symbol.', true)
  newPassword: string;

  @BooleanField({
    column: false,
    description: 'Whether to revoke all existing session tokens. API tokens remain valid.',
  })
  invalidateExistingTokens?: boolean;

  @IntegerField({
    column: false,
    minimum: 0,
    maximum: MAX_TTL_SECONDS,
    description: 'Lifetime of the new token, in seconds; with 0, the token never expires.',
    default: 86400,
  })
  tokenTTL?: number;
}

@ApiSchema({
  name: 'MultiFactorAuthInfo',
  description: 'Two-factor authentication key for an authenticator app.',
})
export class MultiFactorAuthInfo {
  @StringField({
    secret: true,
    column: false,
    required: true,
    maxLength: 1024,
    description: 'Two-factor authentication key, Base32-encoded.',
    example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXPJBSW',
  })
  key: string;

  @StringField({
    secret: true,
    column: false,
    required: true,
    maxLength: 1024,
    description: 'The key as a URI, for display as a QR code.',
    example: 'otpauth://totp/Fieldwright:ada%40example.com?secret=…',
  })
  keyUri: string;
}

@ApiSchema({
  name: 'MultiFactorAuthEnable',
  description: 'Parameters for enabling two-factor authentication.',
})
export class MultiFactorAuthEnable extends PickType(CurrentCredentials, ['password']) {
  @StringField({
    secret: true,
    column: false,
    required: true,
    maxLength: 2048,
    description: 'Code generated with the new key.',
    example: '123456',
  })
  twoFactorCode: string;

  @StringField({
    secret: true,
    column: false,
    minLength: 52,
    maxLength: 52,
    description: 'New key, Base32-encoded. Default: the most recently generated key.',
    example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXPJBSW',
  })
  twoFactorAuthKey?: string;
}

@ApiSchema({
  name: 'MultiFactorAuthDisable',
  description: 'Parameters for disabling two-factor authentication.',
})
export class MultiFactorAuthDisable extends PickType(MultiFactorAuthEnable, ['password', 'twoFactorCode']) {}
