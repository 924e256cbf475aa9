import { ID_EXAMPLE, ID_PATTERN, NAME_PATTERN, type JsonSchema } from '../../../platform/fields/fields.js';
import { optionSchema, textSchema, unsampled } from '../../../platform/fields/schema.js';

const ids = (description: string) => ({
  type: 'array',
  maxItems: 1000,
  items: { type: 'string', pattern: ID_PATTERN },
  description,
  example: [ID_EXAMPLE],
});

/** Schema of a condition on the tags of devices. */
export const TAG_FILTER: JsonSchema = {
  title: 'TagFilter',
  type: 'object',
  additionalProperties: false,
  description: 'Matches devices that have the tag. If `key` or `value` is absent, any key or value matches.',
  properties: {
    key: {
      type: 'string',
      pattern: NAME_PATTERN,
      description: 'Key that the tag must have. Matches any key if absent.',
      example: 'site',
    },
    value: textSchema('Value that the tag must have. Matches any value if absent.', 'north', {
      minLength: 1,
      maxLength: 255,
    }),
  },
};

const MODES = { type: 'string', enum: ['all', 'whitelist', 'blacklist'] };

export const ARCHIVE_CONFIG: JsonSchema = {
  title: 'ArchiveConfig',
  type: 'object',
  additionalProperties: false,
  description:
    'Storage and contents of the daily archive. Exactly one of `s3`, `gcs` and `azure` selects the storage. Its keys are set there or in the service credential `credentialName` of the type `aws`, `gcp` or `azure`. ' +
    'When saved, the settings are tested by writing `archive-settings.txt` to `directory`, which times out after ten seconds. Secrets are stored encrypted and never returned. ' +
    '`directory`, `bucket`, `region` and `account` can contain globals of the application, such as `{{globals.site}}` or, for objects, `{{globals.site.name}}`. If a global changes the bucket, region or account, a stored secret must be sent again.',
  properties: {
    mode: {
      ...MODES,
      description:
        'Which devices are archived: all, only the selected ones (`whitelist`), or all except the selected ones (`blacklist`).',
    },
    deviceIds: unsampled(ids('IDs of the devices that `mode` includes or excludes.')),
    deviceTags: unsampled({
      type: 'array',
      maxItems: 100,
      items: TAG_FILTER,
      description: 'Tags of the devices that `mode` includes or excludes.',
    }),
    includeDevices: optionSchema('Whether device data is archived.', true),
    includeEvents: optionSchema('Whether events are archived.'),
    includeDataTables: optionSchema(
      'Whether rows of data tables are archived, by the day of their last change.',
    ),
    dataTablesMode: {
      ...MODES,
      description:
        'Which data tables are archived: all, only the selected ones (`whitelist`), or all except the selected ones (`blacklist`).',
    },
    dataTableIds: unsampled(ids('IDs of the data tables that `dataTablesMode` includes or excludes.')),
    directory: textSchema('Folder in the bucket or container.', 'fieldwright/pumps', { maxLength: 255 }),
    delayDays: {
      type: 'integer',
      minimum: 1,
      description:
        "Age in days at which data is archived. Default: 30, since devices can report data late. Shorter if the organization's `dataTTL` would delete the data earlier.",
      example: 1,
    },
    credentialName: unsampled(
      textSchema(
        'Name of the service credential to use instead of keys in these settings.',
        'archive-store',
        { minLength: 1, maxLength: 255 },
      ),
    ),
    s3: {
      title: 'ArchiveS3',
      type: 'object',
      additionalProperties: false,
      required: ['bucket'],
      description: 'Bucket in Amazon S3 or an S3-compatible store.',
      properties: {
        bucket: textSchema('Name of the bucket.', 'pump-archive', { maxLength: 255 }),
        region: textSchema('Region of the bucket.', 'eu-central-1', { maxLength: 128 }),
        accessKeyId: textSchema('ID of the access key.', 'AKIAIOSFODNN7EXAMPLE', {
          minLength: 4,
          maxLength: 128,
        }),
        secretAccessKey: {
          ...textSchema(
            'Secret of the access key; never returned.',
            'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
            { minLength: 4, maxLength: 128 },
          ),
          writeOnly: true,
        },
      },
    },
    gcs: unsampled({
      title: 'ArchiveGcs',
      type: 'object',
      additionalProperties: false,
      required: ['bucket'],
      description: 'Bucket in Google Cloud Storage.',
      properties: {
        bucket: textSchema('Name of the bucket.', 'pump-archive', { maxLength: 255 }),
        projectId: textSchema(
          'Project ID of the bucket. Stored but not used, since the bucket name is sufficient.',
          'north-field',
          { minLength: 1, maxLength: 1024 },
        ),
        keyJson: {
          ...textSchema('JSON key of a service account; never returned.', '{"type":"service_account"}', {
            minLength: 4,
            maxLength: 32767,
          }),
          writeOnly: true,
        },
      },
    }),
    azure: unsampled({
      title: 'ArchiveAzure',
      type: 'object',
      additionalProperties: false,
      required: ['bucket'],
      description: 'Container in Azure Blob Storage.',
      properties: {
        bucket: textSchema('Name of the container.', 'pump-archive', { minLength: 3, maxLength: 63 }),
        account: textSchema('Name of the storage account.', 'northfield', { minLength: 3, maxLength: 24 }),
        accountKey: {
          ...textSchema('Key of the storage account; never returned.', 'c2VjcmV0LWFjY291bnQta2V5', {
            maxLength: 255,
          }),
          writeOnly: true,
        },
      },
    }),
    includeApplicationExport: optionSchema(
      'Whether an export of the application is committed to a Git repository each day, as set in `applicationExportOptions`.',
    ),
    applicationExportOptions: {
      title: 'ArchiveExportOptions',
      type: 'object',
      additionalProperties: false,
      required: ['credentialName'],
      description: 'Options for the daily export of the application.',
      properties: {
        credentialName: textSchema(
          'Name of the service credential for the repository. It must have the type `git`, an HTTPS URL and the authentication method `http-password`.',
          'repository',
          { minLength: 1, maxLength: 255 },
        ),
        exportType: {
          type: 'string',
          enum: ['repo'],
          default: 'repo',
          description: 'Type of the export. Only `repo` is supported.',
        },
        includeDevices: optionSchema('Whether the export includes devices.'),
        includeFiles: optionSchema('Whether the export includes files.'),
        includePrivateFiles: optionSchema('Whether the export includes private files.'),
        includeDataTableRows: optionSchema('Whether the export includes the rows of data tables.'),
        repo: {
          title: 'ArchiveRepository',
          type: 'object',
          description: 'Location of the export in the repository.',
          properties: {
            branch: textSchema('Branch to commit to.', 'main', { maxLength: 255 }),
            directory: textSchema('Folder in the repository.', 'exports', { maxLength: 1024 }),
            commitMessage: textSchema('Message of each commit.', 'Daily export', { maxLength: 1024 }),
          },
        },
      },
    },
  },
};

const GLOBAL_MEMBERS = {
  key: {
    type: 'string',
    pattern: NAME_PATTERN,
    description: 'Name of the global, unique within the application.',
    example: 'region',
  },
  description: textSchema("Free-text description of the global's purpose.", 'Location of the pumps', {
    maxLength: 1024,
  }),
  cloudOnly: optionSchema('Whether the global is withheld from edge and embedded agents.'),
};

export const GLOBALS: JsonSchema = {
  type: 'array',
  maxItems: 100,
  items: {
    title: 'ApplicationGlobal',
    type: 'object',
    additionalProperties: false,
    required: ['key', 'json'],
    description: 'Value that every workflow of the application can read.',
    properties: {
      ...GLOBAL_MEMBERS,
      json: textSchema('Value of the global, as JSON text.', '"eu"', { minLength: 1, maxLength: 32767 }),
    },
  },
};

export const GLOBAL_CHANGES: JsonSchema = {
  title: 'ApplicationGlobalPatch',
  description: 'Changes to globals, matched by key.',
  type: 'array',
  maxItems: 100,
  items: {
    title: 'ApplicationGlobalChange',
    type: 'object',
    additionalProperties: false,
    required: ['key'],
    description: 'Change to a global, matched by key.',
    properties: {
      ...GLOBAL_MEMBERS,
      json: {
        ...textSchema('New value of the global, as JSON text; `null` removes the global.', '"eu"', {
          minLength: 1,
          maxLength: 32767,
        }),
        nullable: true,
      },
    },
  },
};

export const TOUR_STEPS: JsonSchema = {
  type: 'array',
  maxItems: 100,
  items: {
    title: 'TourStep',
    type: 'object',
    additionalProperties: false,
    required: ['name', 'version', 'status'],
    description: 'State of a guided tour, recorded by a user interface.',
    properties: {
      name: {
        type: 'string',
        pattern: NAME_PATTERN,
        description: 'Name of the guided tour.',
        example: 'first-device',
      },
      version: { type: 'number', description: 'Version of the guided tour.', example: 1 },
      status: { type: 'string', enum: ['skipped', 'completed'], description: 'Outcome of the guided tour.' },
    },
  },
};
