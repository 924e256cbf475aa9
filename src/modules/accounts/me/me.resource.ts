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
import { LONGEST_TTL_SECONDS } from '../../../platform/access/token-signer.js';
import { RECENT_ITEMS } from '../../../platform/recent/recent-kinds.js';
import { NEW_PASSWORD } from '../users/user.rules.js';

const recent = (what: string) =>
  JsonField(RECENT_ITEMS, {
    column: false,
    description: `The ${what} that you looked at last, when asked for with \`includeRecent\`.`,
  });

/** A user, as they see themselves. */
@ApiSchema({ name: 'Me', description: 'You.' })
export class Me extends Resource {
  @AliasField('user')
  userId: string;

  @StringField({
    required: true,
    maxLength: 1024,
    format: 'email',
    description: 'Your e-mail address, which you sign in with.',
    example: 'ada@example.com',
  })
  email: string;

  @BooleanField({ required: true, description: 'Whether the address is known to be yours.' })
  emailVerified: boolean;

  @BooleanField({ column: false, required: true, description: 'Whether you have to show that it is.' })
  needsToVerifyEmail: boolean;

  @StringField({
    column: false,
    maxLength: 1024,
    format: 'email',
    description: 'An address that you asked for and that is not verified yet.',
    example: 'ada@example.org',
  })
  requestedEmail?: string;

  @StringField({ minLength: 1, maxLength: 1024, description: 'Your first name.', example: 'Ada' })
  firstName?: string;

  @StringField({ maxLength: 1024, description: 'Your last name.', example: 'Lovelace' })
  lastName?: string;

  @StringField({ column: false, description: 'Both names.', example: 'Ada Lovelace' })
  fullName?: string;

  @StringField({ maxLength: 1024, description: 'Where you work.', example: 'North Field' })
  companyName?: string;

  @StringField({ maxLength: 1024, description: 'What you do there.', example: 'Engineer' })
  title?: string;

  @StringField({ maxLength: 1024, description: 'Where you are.', example: 'Oslo' })
  location?: string;

  @StringField({ maxLength: 1024, description: 'Your telephone number.', example: '+47 22 00 00 00' })
  phoneNumber?: string;

  @StringField({ maxLength: 1024, description: 'Your web page.', example: 'https://example.com' })
  url?: string;

  @StringField({
    column: false,
    maxLength: 1024,
    format: 'uri',
    description: 'Your picture.',
    example: 'https://example.com/ada.png',
  })
  avatarUrl?: string;

  @StringField({ description: 'Your name at the linked code-hosting provider.', example: 'ada' })
  githubName?: string;

  @BooleanField({ required: true, description: 'Whether you sign in through an identity provider.' })
  ssoLinked: boolean;

  @BooleanField({ column: false, required: true, description: 'Whether you sign in with a second factor.' })
  twoFactorAuthEnabled: boolean;

  @DateField({ description: 'When your password was last changed.' })
  passwordLastUpdated?: Date;

  @DateField({ description: 'Sign-in tokens from before this time are void.' })
  tokenCutoff?: Date;

  @JsonField(limitsSchema('UserLimits'), { description: 'What you may have at most in your sandbox.' })
  limits?: object;

  @JsonField(meSummary.schema('MeSummary'), {
    column: false,
    required: true,
    description: 'Counts of what you have, as asked for.',
  })
  summary: object;

  @DateField({ column: false, description: 'When the current billing period began.' })
  currentPeriodStart?: Date;

  @DateField({ column: false, description: 'When it ends.' })
  currentPeriodEnd?: Date;

  @recent('applications')
  recentApplications?: object;

  @recent('dashboards')
  recentDashboards?: object;

  @recent('organizations')
  recentOrganizations?: object;
}

@ApiSchema({ name: 'CurrentCredentials', description: 'What you sign in with now.' })
export class CurrentCredentials {
  @StringField({
    secret: true,
    column: false,
    required: true,
    minLength: 8,
    maxLength: 2048,
    description: 'Your present password.',
    example: 'Correct-Horse-7',
  })
  password: string;

  @StringField({
    secret: true,
    column: false,
    maxLength: 2048,
    description: 'A code of your second factor, when you have one.',
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

@ApiSchema({ name: 'MePatch', description: 'Changes to yourself; what is absent stays as it is.' })
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
    'A new password: 12 characters or more, with upper and lower case, a digit and a symbol. Needs `currentCredentials`.',
    false,
  )
  password?: string;

  @ObjectField(() => CurrentCredentials, {
    column: false,
    description: 'Needed to change `email` or `password`.',
  })
  currentCredentials?: CurrentCredentials;
}

@ApiSchema({ name: 'ChangePassword', description: 'A change of password.' })
export class ChangePassword extends CurrentCredentials {
  @newPassword(
    'The new password: 12 characters or more, with upper and lower case, a digit and a symbol.',
    true,
  )
  newPassword: string;

  @BooleanField({ column: false, description: 'End every sign-in token that exists. API tokens stay.' })
  invalidateExistingTokens?: boolean;

  @IntegerField({
    column: false,
    minimum: 0,
    maximum: LONGEST_TTL_SECONDS,
    description: 'How long the new token lives, in seconds; 0 for ever.',
    default: 86400,
  })
  tokenTTL?: number;
}

@ApiSchema({ name: 'MultiFactorAuthInfo', description: 'What an authenticator needs.' })
export class MultiFactorAuthInfo {
  @StringField({
    secret: true,
    column: false,
    required: true,
    maxLength: 1024,
    description: 'The key, base32.',
    example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXPJBSW',
  })
  key: string;

  @StringField({
    secret: true,
    column: false,
    required: true,
    maxLength: 1024,
    description: 'The same as a URI, for a QR code.',
    example: 'otpauth://totp/Fieldwright:ada%40example.com?secret=…',
  })
  keyUri: string;
}

@ApiSchema({ name: 'MultiFactorAuthEnable', description: 'Turns the second factor on.' })
export class MultiFactorAuthEnable {
  @StringField({
    secret: true,
    column: false,
    required: true,
    minLength: 8,
    maxLength: 2048,
    description: 'Your password.',
    example: 'Correct-Horse-7',
  })
  password: string;

  @StringField({
    secret: true,
    column: false,
    required: true,
    maxLength: 2048,
    description: 'A code made with the new key.',
    example: '123456',
  })
  twoFactorCode: string;

  @StringField({
    secret: true,
    column: false,
    minLength: 52,
    maxLength: 52,
    description: 'The new key; absent, the one handed out last.',
    example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXPJBSW',
  })
  twoFactorAuthKey?: string;
}

@ApiSchema({ name: 'MultiFactorAuthDisable', description: 'Turns the second factor off.' })
export class MultiFactorAuthDisable extends PickType(MultiFactorAuthEnable, ['password', 'twoFactorCode']) {}
