import { ApiSchema } from '@nestjs/swagger';
import { meSummary } from '../../../platform/counts/summaries.js';
import {
  AliasField,
  BooleanField,
  DateField,
  ID_EXAMPLE,
  ID_PATTERN,
  IdField,
  IntegerField,
  JsonField,
  StringField,
  type JsonSchema,
} from '../../../platform/fields/fields.js';
import { limitsSchema } from '../../../platform/holdings/limits.js';
import { pageOf, UNPAGED } from '../../../platform/lists/page.js';
import { Resource } from '../../../platform/repositories/resource.js';

/** Maximum number of organizations returned with a user. */
export const MAX_ORGS = 100;

const ORGS: JsonSchema = {
  type: 'array',
  items: {
    title: 'SandboxOrg',
    type: 'object',
    required: ['id', 'name'],
    description: 'An organization of which the user is a member.',
    properties: {
      id: {
        type: 'string',
        pattern: ID_PATTERN,
        description: 'ID of the organization.',
        example: ID_EXAMPLE,
      },
      name: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        description: 'Display name of the organization.',
        example: 'North Field',
      },
      iconColor: {
        type: 'string',
        maxLength: 64,
        description: 'Color of the organization in user interfaces.',
        example: '#4CAF50',
      },
    },
  },
};

/** User as managed through their instance. */
@ApiSchema({ name: 'InstanceSandbox', description: 'A user of an instance, with counts of their resources.' })
export class InstanceSandbox extends Resource {
  @AliasField('user')
  instanceSandboxId: string;

  @IdField({ required: true, description: 'ID of the instance that the user belongs to.' })
  instanceId: string;

  @StringField({
    required: true,
    maxLength: 1024,
    format: 'email',
    description: 'Email address of the user.',
    example: 'ada@example.com',
  })
  email: string;

  @BooleanField({ required: true, description: 'Whether the email address has been verified.' })
  emailVerified: boolean;

  @BooleanField({
    column: false,
    required: true,
    description: 'Whether the user still has to verify the email address.',
  })
  needsToVerifyEmail: boolean;

  @StringField({ minLength: 1, maxLength: 1024, description: 'First name of the user.', example: 'Ada' })
  firstName?: string;

  @StringField({ maxLength: 1024, description: 'Last name of the user.', example: 'Lovelace' })
  lastName?: string;

  @StringField({ column: false, description: 'First and last name of the user.', example: 'Ada Lovelace' })
  fullName?: string;

  @StringField({ maxLength: 1024, description: "Name of the user's company.", example: 'North Field' })
  companyName?: string;

  @StringField({ maxLength: 1024, description: 'Job title of the user.', example: 'Engineer' })
  title?: string;

  @StringField({ maxLength: 1024, description: 'Location of the user.', example: 'Oslo' })
  location?: string;

  @StringField({ maxLength: 1024, description: 'Telephone number of the user.', example: '+47 22 00 00 00' })
  phoneNumber?: string;

  @StringField({ maxLength: 1024, description: "URL of the user's website.", example: 'https://example.com' })
  url?: string;

  @StringField({
    column: false,
    maxLength: 1024,
    format: 'uri',
    description: "URL of the user's profile picture.",
    example: 'https://example.com/ada.png',
  })
  avatarUrl?: string;

  @StringField({ description: 'Name of the user at the linked code-hosting provider.', example: 'ada' })
  githubName?: string;

  @BooleanField({ required: true, description: 'Whether the user signs in through an identity provider.' })
  ssoLinked: boolean;

  @BooleanField({
    column: false,
    required: true,
    description: 'Whether two-factor authentication is enabled.',
  })
  twoFactorAuthEnabled: boolean;

  @DateField({ description: 'Time of the last password change, in UTC.' })
  passwordLastUpdated?: Date;

  @DateField({ description: 'Session tokens issued before this time are rejected.' })
  tokenCutoff?: Date;

  @DateField({ description: 'Time of the last successful sign-in, in UTC.' })
  lastSuccessfulLogin?: Date;

  @DateField({ description: 'Time of the last failed sign-in, in UTC.' })
  lastFailedLogin?: Date;

  @IntegerField({
    required: true,
    minimum: 0,
    description: 'Number of failed sign-ins since the last successful one.',
    example: 0,
  })
  failedLoginCount: number;

  @DateField({
    description:
      'Time at which the user was deleted, if so. From then on they cannot sign in, their tokens are rejected and their email address is available.',
  })
  permanentDeletion?: Date;

  @DateField({
    description:
      'Time at which the data of a deleted user is permanently removed. Until then, the user can be restored.',
  })
  dataDeletion?: Date;

  @JsonField(limitsSchema('UserLimits'), { description: "Resource limits of the user's sandbox." })
  limits?: object;

  @JsonField(ORGS, {
    column: false,
    description: `Organizations of which the user is a member, sorted by name. Absent if there are more than ${MAX_ORGS}: use \`instanceOrgs.get\` with a query for \`memberId\` instead.`,
  })
  orgs?: object[];

  @JsonField(meSummary.schema('SandboxSummary'), {
    column: false,
    required: true,
    description: "Counts of the user's resources, as selected by the request.",
  })
  summary: object;

  @DateField({ column: false, description: 'Start of the current billing period, in UTC.' })
  currentPeriodStart?: Date;

  @DateField({ column: false, description: 'End of the current billing period, in UTC.' })
  currentPeriodEnd?: Date;
}

export const InstanceSandboxes = pageOf(
  InstanceSandbox,
  'InstanceSandboxes',
  [],
  [...UNPAGED, 'limit', 'hasMore', 'startingAfterId', 'endingBeforeId'],
);
