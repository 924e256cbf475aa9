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

/** Users are shown with the organizations that they are in where these are no more. */
export const MOST_ORGS = 100;

const ORGS: JsonSchema = {
  type: 'array',
  items: {
    title: 'SandboxOrg',
    type: 'object',
    required: ['id', 'name'],
    description: 'An organization that the user is a member of.',
    properties: {
      id: { type: 'string', pattern: ID_PATTERN, description: 'Its id.', example: ID_EXAMPLE },
      name: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        description: 'Its name.',
        example: 'North Field',
      },
      iconColor: { type: 'string', maxLength: 64, description: 'Its colour.', example: '#4CAF50' },
    },
  },
};

/** A user as those see them who run the instance that they stand in. */
@ApiSchema({ name: 'InstanceSandbox', description: 'A user of an instance, with what their sandbox holds.' })
export class InstanceSandbox extends Resource {
  @AliasField('user')
  instanceSandboxId: string;

  @IdField({ required: true, description: 'The instance that they stand in.' })
  instanceId: string;

  @StringField({
    required: true,
    maxLength: 1024,
    format: 'email',
    description: 'Their e-mail address.',
    example: 'ada@example.com',
  })
  email: string;

  @BooleanField({ required: true, description: 'Whether the address is known to be theirs.' })
  emailVerified: boolean;

  @BooleanField({ column: false, required: true, description: 'Whether they have to show that it is.' })
  needsToVerifyEmail: boolean;

  @StringField({ minLength: 1, maxLength: 1024, description: 'Their first name.', example: 'Ada' })
  firstName?: string;

  @StringField({ maxLength: 1024, description: 'Their last name.', example: 'Lovelace' })
  lastName?: string;

  @StringField({ column: false, description: 'Both names.', example: 'Ada Lovelace' })
  fullName?: string;

  @StringField({ maxLength: 1024, description: 'Where they work.', example: 'North Field' })
  companyName?: string;

  @StringField({ maxLength: 1024, description: 'What they do there.', example: 'Engineer' })
  title?: string;

  @StringField({ maxLength: 1024, description: 'Where they are.', example: 'Oslo' })
  location?: string;

  @StringField({ maxLength: 1024, description: 'Their telephone number.', example: '+47 22 00 00 00' })
  phoneNumber?: string;

  @StringField({ maxLength: 1024, description: 'Their web page.', example: 'https://example.com' })
  url?: string;

  @StringField({
    column: false,
    maxLength: 1024,
    format: 'uri',
    description: 'Their picture.',
    example: 'https://example.com/ada.png',
  })
  avatarUrl?: string;

  @StringField({ description: 'Their name at the linked code-hosting provider.', example: 'ada' })
  githubName?: string;

  @BooleanField({ required: true, description: 'Whether they sign in through an identity provider.' })
  ssoLinked: boolean;

  @BooleanField({ column: false, required: true, description: 'Whether they sign in with a second factor.' })
  twoFactorAuthEnabled: boolean;

  @DateField({ description: 'When their password was last changed.' })
  passwordLastUpdated?: Date;

  @DateField({ description: 'Sign-in tokens from before this time are void.' })
  tokenCutoff?: Date;

  @DateField({ description: 'When they last signed in.' })
  lastSuccessfulLogin?: Date;

  @DateField({ description: 'When somebody last failed to sign in as them.' })
  lastFailedLogin?: Date;

  @IntegerField({
    required: true,
    minimum: 0,
    description: 'How often that failed since they last signed in.',
    example: 0,
  })
  failedLoginCount: number;

  @DateField({
    description:
      'When they were deleted, where they were: from then on they cannot sign in, their tokens are void and their address is free.',
  })
  permanentDeletion?: Date;

  @DateField({
    description:
      'When all that is theirs is removed for good, where they were deleted; until then that can be taken back.',
  })
  dataDeletion?: Date;

  @JsonField(limitsSchema('UserLimits'), { description: 'What they may have at most in their sandbox.' })
  limits?: object;

  @JsonField(ORGS, {
    column: false,
    description: `The organizations that they are a member of, by name. Left out where they are more than ${MOST_ORGS}: \`instanceOrgs.get\` finds them by \`memberId\`.`,
  })
  orgs?: object[];

  @JsonField(meSummary.schema('SandboxSummary'), {
    column: false,
    required: true,
    description: 'Counts of what they have, as asked for.',
  })
  summary: object;

  @DateField({ column: false, description: 'When the current billing period began.' })
  currentPeriodStart?: Date;

  @DateField({ column: false, description: 'When it ends.' })
  currentPeriodEnd?: Date;
}

export const InstanceSandboxes = pageOf(
  InstanceSandbox,
  'InstanceSandboxes',
  [],
  [...UNPAGED, 'limit', 'hasMore', 'startingAfterId', 'endingBeforeId'],
);
