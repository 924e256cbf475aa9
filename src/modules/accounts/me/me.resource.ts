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
import { limitsSchema } from '../../../platform/holdings/limits.js';
import { Resource } from '../../../platform/repositories/resource.js';
import { MAX_TTL_SECONDS } from '../../../platform/access/token-signer.js';
import { RECENT_ITEMS } from '../../../platform/recent/recent-kinds.js';
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

  @StringField({
    required: true,
    maxLength: 1024,
    format: 'email',
    description: 'Your email address, used to sign in.',
    example: 'ada@example.com',
  })
  email: string;

  @BooleanField({ required: true, description: 'Whether your email address has been verified.' })
  emailVerified: boolean;

  @BooleanField({
    column: false,
    required: true,
    description: 'Whether you still have to verify your email address.',
  })
  needsToVerifyEmail: boolean;

  @StringField({
    column: false,
    maxLength: 1024,
    format: 'email',
    description: 'New email address that you requested and that is not verified yet.',
    example: 'ada@example.org',
  })
  requestedEmail?: string;

  @StringField({ minLength: 1, maxLength: 1024, description: 'Your first name.', example: 'Ada' })
  firstName?: string;

  @StringField({ maxLength: 1024, description: 'Your last name.', example: 'Lovelace' })
  lastName?: string;

  @StringField({ column: false, description: 'Your first and last name.', example: 'Ada Lovelace' })
  fullName?: string;

  @StringField({ maxLength: 1024, description: 'Name of your company.', example: 'North Field' })
  companyName?: string;

  @StringField({ maxLength: 1024, description: 'Your job title.', example: 'Engineer' })
  title?: string;

  @StringField({ maxLength: 1024, description: 'Your location, as free text.', example: 'Oslo' })
  location?: string;

  @StringField({ maxLength: 1024, description: 'Your telephone number.', example: '+47 22 00 00 00' })
  phoneNumber?: string;

  @StringField({ maxLength: 1024, description: 'URL of your website.', example: 'https://example.com' })
  url?: string;

  @StringField({
    column: false,
    maxLength: 1024,
    format: 'uri',
    description: 'URL of your profile picture.',
    example: 'https://example.com/ada.png',
  })
  avatarUrl?: string;

  @StringField({ description: 'Your name at the linked code-hosting provider.', example: 'ada' })
  githubName?: string;

  @BooleanField({ required: true, description: 'Whether you sign in through an identity provider.' })
  ssoLinked: boolean;

  @BooleanField({
    column: false,
    required: true,
    description: 'Whether two-factor authentication is enabled.',
  })
  twoFactorAuthEnabled: boolean;

  @DateField({ description: 'Time of your last password change, in UTC.' })
  passwordLastUpdated?: Date;

  @DateField({ description: 'Session tokens issued before this time are rejected.' })
  tokenCutoff?: Date;

  @JsonField(limitsSchema('UserLimits'), { description: 'Resource limits of your sandbox.' })
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
export class MultiFactorAuthEnable {
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
