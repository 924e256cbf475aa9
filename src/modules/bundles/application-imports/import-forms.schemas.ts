import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  IdField,
  JsonField,
  ObjectField,
  StringField,
  type JsonSchema,
} from '../../../platform/fields/fields.js';

/** What can be asked for of a bundle. */
export const IMPORTED_TYPES = [
  'ApplicationCertificateAuthority',
  'Dashboard',
  'DataTableRow',
  'DataTable',
  'DeviceRecipe',
  'Device',
  'ExperienceDevelopConfig',
  'ExperienceEndpoint',
  'ExperienceFlowVersion',
  'ExperienceGroup',
  'ExperienceUser',
  'ExperienceVersion',
  'ExperienceView',
  'File',
  'FlowVersion',
  'Flow',
  'Global',
  'Integration',
  'Notebook',
  'PrivateFile',
  'Webhook',
  'ResourceJob',
] as const;
export type ImportedType = (typeof IMPORTED_TYPES)[number];

/** Whether a type of resources is one that can be asked for: credentials come with everything alone. */
export const isImportedType = (type: string): type is ImportedType =>
  IMPORTED_TYPES.some((each) => each === type);

export const CONFLICT_BEHAVIORS = ['create', 'error', 'retain', 'replace'] as const;
export type ConflictBehavior = (typeof CONFLICT_BEHAVIORS)[number];

export const INCLUDE: JsonSchema = {
  type: 'array',
  uniqueItems: true,
  maxItems: IMPORTED_TYPES.length,
  items: { type: 'string', enum: IMPORTED_TYPES },
};
export const REPO: JsonSchema = {
  title: 'ImportRepository',
  type: 'object',
  description: 'Where in a repository a bundle stands.',
  properties: {
    branch: {
      type: 'string',
      maxLength: 255,
      description: 'The branch; absent, the default one.',
      example: 'main',
    },
    directory: {
      type: 'string',
      maxLength: 1024,
      description: 'The directory; absent, the whole repository.',
      example: 'application',
    },
  },
};

/** What both imports may be asked for. */
class ImportOptions {
  @StringField({
    column: false,
    format: 'uri',
    maxLength: 1024,
    description:
      'Where the bundle is fetched from, in place of `importBundle`: an https URL of a public server.',
    example: 'https://example.com/bundle.zip',
  })
  importUrl?: string;

  @JsonField(INCLUDE, {
    column: false,
    description: 'Only these are imported; absent, everything that the bundle has.',
    example: ['Flow', 'Device'],
  })
  include?: ImportedType[];

  @StringField({
    column: false,
    format: 'uri',
    maxLength: 1024,
    description: 'Where a `POST` says how it ended.',
    example: 'https://example.com/told',
  })
  callbackUrl?: string;

  @BooleanField({
    column: false,
    default: false,
    description: 'Whether it goes on as a job, however small it is.',
    example: false,
  })
  forceJob?: boolean;
}

@ApiSchema({ name: 'ImportNewApplicationOptions', description: 'What is imported, and from where.' })
export class ImportNewApplicationOptions extends ImportOptions {}

@ApiSchema({
  name: 'ImportIntoApplicationOptions',
  description: 'What is imported into an application, from where, and how.',
})
export class ImportIntoApplicationOptions extends ImportOptions {
  @ChoiceField(CONFLICT_BEHAVIORS, {
    column: false,
    default: 'create',
    description:
      'What becomes of a resource where the application has one of its type and name: `create` makes another, `retain` leaves the one that is there and has what names it name that, `replace` changes it, and `error` imports nothing.',
    example: 'create',
  })
  conflictBehavior?: ConflictBehavior;

  @BooleanField({
    column: false,
    default: false,
    description: 'Whether it is only looked at: nothing is written, and the log says what would be wrong.',
    example: false,
  })
  dryRun?: boolean;

  @IdField({ column: false, description: 'The application that is imported from, in place of a bundle.' })
  fromApplicationId?: string;

  @StringField({
    column: false,
    maxLength: 255,
    description:
      'The service credential for a repository that is imported from, in place of a bundle: of the type `git`, with an https URL, signing in by `http-password`.',
    example: 'repository',
  })
  credentialName?: string;

  @JsonField(REPO, {
    column: false,
    description: 'Where in the repository the bundle stands.',
    example: { branch: 'main', directory: 'application' },
  })
  repo?: { branch?: string; directory?: string };
}

const BUNDLE = {
  type: 'string',
  format: 'binary',
  required: false,
  description: 'The bundle, a zip file of at most 256 MiB.',
} as const;
const EMAIL = 'Who gets a mail when it has ended; absent, the user who asks.';

@ApiSchema({ name: 'ApplicationsImportForm', description: 'A form with a bundle, or with where it is.' })
export class ApplicationsImportForm {
  @ApiProperty(BUNDLE)
  importBundle?: unknown;

  @IdField({ column: false, description: 'Who will own the application; absent, the user who asks.' })
  ownerId?: string;

  @ChoiceField(['user', 'organization'], {
    column: false,
    default: 'user',
    description: 'What the owner is.',
    example: 'user',
  })
  ownerType?: 'user' | 'organization';

  @StringField({
    column: false,
    description: '`false` leaves out the devices of the bundle.',
    example: 'true',
  })
  includeDevices?: string;

  @StringField({
    column: false,
    description: '`false` leaves out the rows of its data tables.',
    example: 'true',
  })
  includeDataTableRows?: string;

  @StringField({ column: false, description: '`false` leaves out its files.', example: 'true' })
  includeFiles?: string;

  @StringField({
    column: false,
    format: 'email',
    maxLength: 1024,
    description: EMAIL,
    example: 'ada@example.com',
  })
  email?: string;

  @ObjectField(() => ImportNewApplicationOptions, { column: false, description: 'Further options, as JSON.' })
  options?: ImportNewApplicationOptions;
}

@ApiSchema({ name: 'ApplicationImportForm', description: 'A form with a bundle, or with where it is.' })
export class ApplicationImportForm {
  @ApiProperty(BUNDLE)
  importBundle?: unknown;

  @StringField({
    column: false,
    format: 'email',
    maxLength: 1024,
    description: EMAIL,
    example: 'ada@example.com',
  })
  email?: string;

  @ObjectField(() => ImportIntoApplicationOptions, {
    column: false,
    description: 'Further options, as JSON.',
  })
  options?: ImportIntoApplicationOptions;
}
