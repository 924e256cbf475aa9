import type { JsonSchema } from '../../../platform/fields/fields.js';
import { callbackSchema } from '../../../platform/callbacks/callback-schema.js';
import { idSchema, textSchema, timeSchema, unsampled } from '../../../platform/fields/schema.js';
import { JOB_STATUSES } from '../../../platform/jobs/job.entity.js';
import { CONFLICT_BEHAVIORS, IMPORTED_TYPES, INCLUDE, REPO } from './asked/import-forms.schemas.js';

const URL = { format: 'uri', maxLength: 1024 };
const choice = (choices: readonly string[], description: string, example: string): JsonSchema => ({
  ...textSchema(description, example),
  enum: choices,
});

const DRY_RUN_RESULTS: JsonSchema = {
  title: 'ImportDryRunResults',
  type: 'object',
  description: 'Result of a dry run.',
  properties: {
    limitErrors: {
      type: 'array',
      uniqueItems: true,
      items: { type: 'string', enum: IMPORTED_TYPES },
      description: 'Resource types for which the import would exceed a limit of the owner.',
      example: ['Device'],
    },
    url: {
      ...textSchema('URL of detailed results. Reserved; currently not set.', 'https://example.com/dry-run'),
      ...URL,
    },
  },
};
const ERROR: JsonSchema = {
  title: 'ImportError',
  type: 'object',
  description: 'Error that stopped the import.',
  properties: {
    name: textSchema('Type of the error, such as `Validation`.', 'Validation'),
    message: textSchema('Human-readable description of the error.', 'importBundle is not a valid zip file'),
  },
};
const PROBLEMS: JsonSchema = {
  type: 'array',
  description: 'Resources that could not be imported or were changed; up to 100 entries.',
  items: {
    title: 'ImportProblem',
    type: 'object',
    description: 'Validation error of one resource.',
    properties: {
      type: textSchema('Type of the resource, such as `Flow`.', 'Flow'),
      name: textSchema('Name of the resource in the bundle.', 'Alarm'),
      id: textSchema('ID of the resource in the bundle.', '~exportplaceholderid-flow-alarm~'),
      message: textSchema('Reason why the resource is invalid.', 'flow.name is required'),
    },
  },
};

const EXECUTION: JsonSchema = {
  title: 'ApplicationImportExecution',
  type: 'object',
  description: 'Import into an application, with its options and result.',
  properties: {
    id: idSchema('Unique ID of the import.'),
    importExecutionId: idSchema('Same value as `id`.'),
    applicationId: idSchema('ID of the application that was imported into.'),
    jobId: unsampled({
      ...textSchema(
        'ID of the job that runs the import; absent if the request ran it.',
        '575ec8687ae143cd83dc4',
      ),
      maxLength: 21,
    }),
    status: choice(JOB_STATUSES, 'Current status of the import.', 'completed'),
    importSourceType: choice(
      ['importBundle', 'importUrl', 'fromApplication', 'repository'],
      'Type of source the bundle comes from.',
      'importBundle',
    ),
    importUrl: unsampled({
      ...textSchema(
        'URL that the bundle was fetched from, without the query string.',
        'https://example.com/bundle.zip',
      ),
      ...URL,
    }),
    importedFileUrl: unsampled({
      ...textSchema(
        'URL of the stored bundle. Never set, because bundles are not kept.',
        'https://example.com/bundle.zip',
      ),
      ...URL,
    }),
    fromApplicationId: unsampled(idSchema('ID of the application that was imported from.')),
    include: unsampled({
      ...INCLUDE,
      description: 'Resource types to import; absent if everything was requested.',
      example: ['Flow'],
    }),
    conflictBehavior: choice(CONFLICT_BEHAVIORS, 'Handling of resources that already existed.', 'create'),
    dryRun: { type: 'boolean', description: 'Whether the import was only validated.', example: false },
    dryRunResults: unsampled(DRY_RUN_RESULTS),
    validationErrors: unsampled(PROBLEMS),
    error: unsampled(ERROR),
    email: {
      ...textSchema('Email address notified when the import finished.', 'ada@example.com'),
      format: 'email',
      maxLength: 1024,
    },
    callbackUrl: unsampled({
      ...textSchema(
        'URL notified when the import finished. Never set, because it may contain a secret.',
        'https://example.com/told',
      ),
      ...URL,
    }),
    credentialName: unsampled(textSchema('Name of the service credential for the repository.', 'repository')),
    repo: unsampled(REPO),
    sourceId: idSchema('ID of the caller that requested the import.'),
    sourceType: {
      title: 'CallerType',
      ...choice(
        ['flow', 'user', 'device', 'apiToken', 'notebook'],
        'Type of the caller that requested the import.',
        'user',
      ),
    },
    runQueuedAt: timeSchema('Time the import was requested, in UTC.'),
    runStartedAt: timeSchema('Time the import started, in UTC.'),
    runCompletedAt: timeSchema('Time the import finished, in UTC.'),
  },
};

/** Response schema of the import log. */
export const APPLICATION_IMPORT_EXECUTIONS: JsonSchema = {
  title: 'ApplicationImportExecutions',
  type: 'array',
  description: 'Imports into an application, newest first.',
  items: EXECUTION,
};

/** Callback of an import, a clone or the application of a template. */
export const IMPORT_CALLBACK = callbackSchema('Import', {
  validationErrors: PROBLEMS,
  dryRunResults: DRY_RUN_RESULTS,
});
