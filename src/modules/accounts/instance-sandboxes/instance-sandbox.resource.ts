import { ApiSchema } from '@nestjs/swagger';
import { meSummary } from '../../../platform/counts/summaries.js';
import {
  AliasField,
  DateField,
  ID_EXAMPLE,
  ID_PATTERN,
  IdField,
  IntegerField,
  JsonField,
  type JsonSchema,
} from '../../../platform/fields/fields.js';
import { pageOf, UNPAGED } from '../../../platform/lists/page.js';
import { Resource } from '../../../platform/repositories/resource.js';
import { UserField } from '../users/user.fields.js';

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

  @UserField.email('Email address of the user.')
  email: string;

  @UserField.emailVerified('Whether the email address has been verified.')
  emailVerified: boolean;

  @UserField.needsToVerifyEmail('Whether the user still has to verify the email address.')
  needsToVerifyEmail: boolean;

  @UserField.firstName('First name of the user.')
  firstName?: string;

  @UserField.lastName('Last name of the user.')
  lastName?: string;

  @UserField.fullName('First and last name of the user.')
  fullName?: string;

  @UserField.companyName("Name of the user's company.")
  companyName?: string;

  @UserField.title('Job title of the user.')
  title?: string;

  @UserField.location('Location of the user.')
  location?: string;

  @UserField.phoneNumber('Telephone number of the user.')
  phoneNumber?: string;

  @UserField.url("URL of the user's website.")
  url?: string;

  @UserField.avatarUrl("URL of the user's profile picture.")
  avatarUrl?: string;

  @UserField.githubName('Name of the user at the linked code-hosting provider.')
  githubName?: string;

  @UserField.ssoLinked('Whether the user signs in through an identity provider.')
  ssoLinked: boolean;

  @UserField.twoFactorAuthEnabled
  twoFactorAuthEnabled: boolean;

  @UserField.passwordLastUpdated('Time of the last password change, in UTC.')
  passwordLastUpdated?: Date;

  @UserField.tokenCutoff
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
    sampled: false,
    description:
      'Time at which the user was deleted, if so. From then on they cannot sign in, their tokens are rejected and their email address is available.',
  })
  permanentDeletion?: Date;

  @DateField({
    sampled: false,
    description:
      'Time at which the data of a deleted user is permanently removed. Until then, the user can be restored.',
  })
  dataDeletion?: Date;

  @UserField.limits("Resource limits of the user's sandbox.")
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
