import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  IdField,
  JsonField,
  ObjectField,
  StringField,
  type JsonSchema,
} from '../../../../platform/fields/fields.js';

/** Resource types that an import can select. */
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

/** Checks whether a type can be selected. Credentials are only part of a full import. */
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
  description: 'Location of a bundle in a repository.',
  properties: {
    branch: {
      type: 'string',
      maxLength: 255,
      description: 'Branch to read. Defaults to the default branch.',
      example: 'main',
    },
    directory: {
      type: 'string',
      maxLength: 1024,
      description: 'Directory that contains the bundle. Defaults to the root of the repository.',
      example: 'application',
    },
  },
};

/** Options of both kinds of import. */
class ImportOptions {
  @StringField({
    column: false,
    format: 'uri',
    maxLength: 1024,
    description:
      'URL to fetch the bundle from, instead of `importBundle`. Must be an https URL of a public server.',
    example: 'https://example.com/bundle.zip',
  })
  importUrl?: string;

  @JsonField(INCLUDE, {
    column: false,
    description: 'Resource types to import. Defaults to everything in the bundle.',
    example: ['Flow', 'Device'],
  })
  include?: ImportedType[];

  @StringField({
    column: false,
    format: 'uri',
    maxLength: 1024,
    description: 'URL that receives a `POST` when the import has finished.',
    example: 'https://example.com/told',
  })
  callbackUrl?: string;

  @BooleanField({
    column: false,
    default: false,
    description: 'Whether to run as a job even if the application is small.',
    example: false,
  })
  forceJob?: boolean;
}

@ApiSchema({
  name: 'ImportNewApplicationOptions',
  description: 'Source and contents of an import into a new application.',
})
export class ImportNewApplicationOptions extends ImportOptions {}

@ApiSchema({
  name: 'ImportIntoApplicationOptions',
  description: 'Source, contents and conflict handling of an import into an application.',
})
export class ImportIntoApplicationOptions extends ImportOptions {
  @ChoiceField(CONFLICT_BEHAVIORS, {
    column: false,
    default: 'create',
    description:
      'Handling of resources whose type and name already exist in the application. `create` adds another one. `retain` keeps the existing one and redirects references to it. `replace` updates it. `error` rejects the whole import.',
    example: 'create',
  })
  conflictBehavior?: ConflictBehavior;

  @BooleanField({
    column: false,
    default: false,
    description:
      'Whether to validate the import without writing anything. The import log contains the problems found.',
    example: false,
  })
  dryRun?: boolean;

  @IdField({ column: false, description: 'ID of an application to import from, instead of a bundle.' })
  fromApplicationId?: string;

  @StringField({
    column: false,
    maxLength: 255,
    description:
      'Name of a service credential for the repository to import from, instead of a bundle. The credential must have the type `git`, an https URL and `http-password` authentication.',
    example: 'repository',
  })
  credentialName?: string;

  @JsonField(REPO, {
    column: false,
    description: 'Location of the bundle in the repository.',
    example: { branch: 'main', directory: 'application' },
  })
  repo?: { branch?: string; directory?: string };
}

const BUNDLE = {
  type: 'string',
  format: 'binary',
  required: false,
  description: 'Bundle as a zip file of at most 256 MiB.',
} as const;
const EMAIL = "Email address to notify when the import has finished. Defaults to the caller's.";

@ApiSchema({
  name: 'ApplicationsImportForm',
  description: 'Multipart form with a bundle or a reference to one.',
})
export class ApplicationsImportForm {
  @ApiProperty(BUNDLE)
  importBundle?: unknown;

  @IdField({ column: false, description: 'ID of the owner of the application. Defaults to the caller.' })
  ownerId?: string;

  @ChoiceField(['user', 'organization'], {
    column: false,
    default: 'user',
    description: 'Type of the owner of the application.',
    example: 'user',
  })
  ownerType?: 'user' | 'organization';

  @StringField({
    column: false,
    description: 'Whether to import the devices of the bundle; `false` omits them.',
    example: 'true',
  })
  includeDevices?: string;

  @StringField({
    column: false,
    description: 'Whether to import data table rows; `false` omits them.',
    example: 'true',
  })
  includeDataTableRows?: string;

  @StringField({
    column: false,
    description: 'Whether to import files; `false` omits them.',
    example: 'true',
  })
  includeFiles?: string;

  @StringField({
    column: false,
    format: 'email',
    maxLength: 1024,
    description: EMAIL,
    example: 'ada@example.com',
  })
  email?: string;

  @ObjectField(() => ImportNewApplicationOptions, {
    column: false,
    description: 'Additional options, as JSON.',
  })
  options?: ImportNewApplicationOptions;
}

@ApiSchema({
  name: 'ApplicationImportForm',
  description: 'Multipart form with a bundle or a reference to one.',
})
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
    description: 'Additional options, as JSON.',
  })
  options?: ImportIntoApplicationOptions;
}
