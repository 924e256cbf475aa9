import { ID_EXAMPLE, ID_PATTERN, NAME_PATTERN, type JsonSchema } from '../../../platform/fields/fields.js';

const flag = (description: string, value = false) => ({ type: 'boolean', default: value, description });
const text = (description: string, example: string, maxLength: number, minLength?: number) => ({
  type: 'string',
  ...(minLength ? { minLength } : {}),
  maxLength,
  description,
  example,
});
const ids = (description: string) => ({
  type: 'array',
  maxItems: 1000,
  items: { type: 'string', pattern: ID_PATTERN },
  description,
  example: [ID_EXAMPLE],
});

/** A tag of devices to look for. */
export const TAG_FILTER: JsonSchema = {
  title: 'TagFilter',
  type: 'object',
  additionalProperties: false,
  description: 'Devices that carry a tag; a part that is absent matches any.',
  properties: {
    key: { type: 'string', pattern: NAME_PATTERN, description: "The tag's key.", example: 'site' },
    value: text("The tag's value.", 'north', 255, 1),
  },
};

const MODES = { type: 'string', enum: ['all', 'whitelist', 'blacklist'] };

export const ARCHIVE_CONFIG: JsonSchema = {
  title: 'ArchiveConfig',
  type: 'object',
  additionalProperties: false,
  description:
    'Where and what the application archives each day. Exactly one of `s3`, `gcs` and `azure` names the place; what signs in there stands beside it, or is the service credential that `credentialName` names, of the type `aws`, `gcp` or `azure`. ' +
    'Settings are tried when they are saved, by writing `archive-settings.txt` to the directory within ten seconds. Secrets are kept encrypted and never returned. ' +
    '`directory`, buckets, `region` and `account` may have globals of the application in them, as in `{{globals.site}}` or, of an object, `{{globals.site.name}}`.',
  properties: {
    mode: { ...MODES, description: 'Which devices are archived.' },
    deviceIds: ids('The devices that `mode` includes or leaves out.'),
    deviceTags: { type: 'array', maxItems: 100, items: TAG_FILTER, description: 'The same, by tag.' },
    includeDevices: flag('Archive device data.', true),
    includeEvents: flag('Archive events.'),
    includeDataTables: flag('Archive rows of data tables, with the day on which they were last changed.'),
    dataTablesMode: { ...MODES, description: 'Which data tables are archived.' },
    dataTableIds: ids('The data tables that `dataTablesMode` includes or leaves out.'),
    directory: text('A folder inside the bucket.', 'fieldwright/pumps', 255),
    delayDays: {
      type: 'integer',
      minimum: 1,
      description:
        'How many days old data must be before it is archived each day. Absent, 30, since devices may report what is so old. It is less where the `dataTTL` of the organization would have removed it by then.',
      example: 1,
    },
    credentialName: text('The service credential to use in place of keys here.', 'archive-store', 255, 1),
    s3: {
      title: 'ArchiveS3',
      type: 'object',
      additionalProperties: false,
      required: ['bucket'],
      description: 'A bucket of S3 or of a store that speaks its protocol.',
      properties: {
        bucket: text('The bucket.', 'pump-archive', 255),
        region: text('Its region.', 'eu-central-1', 128),
        accessKeyId: text('The access key.', 'AKIAIOSFODNN7EXAMPLE', 128, 4),
        secretAccessKey: {
          ...text('Its secret; never returned.', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', 128, 4),
          writeOnly: true,
        },
      },
    },
    gcs: {
      title: 'ArchiveGcs',
      type: 'object',
      additionalProperties: false,
      required: ['bucket'],
      description: 'A Google Cloud Storage bucket.',
      properties: {
        bucket: text('The bucket.', 'pump-archive', 255),
        projectId: text('Its project; kept as it is, since the bucket says it too.', 'north-field', 1024, 1),
        keyJson: {
          ...text(
            'The key of a service account, JSON; never returned.',
            '{"type":"service_account"}',
            32767,
            4,
          ),
          writeOnly: true,
        },
      },
    },
    azure: {
      title: 'ArchiveAzure',
      type: 'object',
      additionalProperties: false,
      required: ['bucket'],
      description: 'An Azure Blob Storage container.',
      properties: {
        bucket: text('The container.', 'pump-archive', 63, 3),
        account: text('The storage account.', 'northfield', 24, 3),
        accountKey: { ...text('Its key; never returned.', 'c2VjcmV0LWFjY291bnQta2V5', 255), writeOnly: true },
      },
    },
    includeApplicationExport: flag(
      'Also commit an export of the application to a repository each day, as `applicationExportOptions` says.',
    ),
    applicationExportOptions: {
      title: 'ArchiveExportOptions',
      type: 'object',
      additionalProperties: false,
      required: ['credentialName'],
      description: 'How that export is made.',
      properties: {
        credentialName: text(
          'The service credential for the repository: of the type `git`, with an https URL, signing in by `http-password`.',
          'repository',
          255,
          1,
        ),
        exportType: { type: 'string', enum: ['repo'], default: 'repo', description: 'The kind of export.' },
        includeDevices: flag('With devices.'),
        includeFiles: flag('With files.'),
        includePrivateFiles: flag('With private files.'),
        includeDataTableRows: flag('With the rows of data tables.'),
        repo: {
          title: 'ArchiveRepository',
          type: 'object',
          description: 'Where in the repository.',
          properties: {
            branch: text('The branch.', 'main', 255),
            directory: text('The folder.', 'exports', 1024),
            commitMessage: text('The message of each commit.', 'Daily export', 1024),
          },
        },
      },
    },
  },
};

const GLOBAL_MEMBERS = {
  key: { type: 'string', pattern: NAME_PATTERN, description: 'Its name.', example: 'region' },
  description: text('What it is for.', 'Where the pumps stand', 1024),
  cloudOnly: flag('Keep it from edge and embedded agents.'),
};

export const GLOBALS: JsonSchema = {
  type: 'array',
  maxItems: 100,
  items: {
    title: 'ApplicationGlobal',
    type: 'object',
    additionalProperties: false,
    required: ['key', 'json'],
    description: 'A value that every workflow of the application can read.',
    properties: {
      ...GLOBAL_MEMBERS,
      json: text('Its value: a JSON document as text.', '"eu"', 32767, 1),
    },
  },
};

export const GLOBAL_CHANGES: JsonSchema = {
  title: 'ApplicationGlobalPatch',
  description: 'Changes to globals, each found by its key.',
  type: 'array',
  maxItems: 100,
  items: {
    title: 'ApplicationGlobalChange',
    type: 'object',
    additionalProperties: false,
    required: ['key'],
    description: 'A change to one global, found by its key.',
    properties: {
      ...GLOBAL_MEMBERS,
      json: {
        ...text('Its new value: a JSON document as text; `null` removes the global.', '"eu"', 32767, 1),
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
    description: "A user interface's note of a guided tour that was shown.",
    properties: {
      name: { type: 'string', pattern: NAME_PATTERN, description: 'The tour.', example: 'first-device' },
      version: { type: 'number', description: 'Its version.', example: 1 },
      status: { type: 'string', enum: ['skipped', 'completed'], description: 'How it ended.' },
    },
  },
};
