import { ID_EXAMPLE, ID_PATTERN, type JsonSchema } from '../../../platform/fields/fields.js';
import { JOB_STATUSES } from '../../../platform/jobs/job.entity.js';
import { CONFLICT_BEHAVIORS, IMPORTED_TYPES, INCLUDE, REPO } from './import-forms.schemas.js';

const id = (description: string): JsonSchema => ({
  type: 'string',
  pattern: ID_PATTERN,
  description,
  example: ID_EXAMPLE,
});
const date = (description: string): JsonSchema => ({
  type: 'string',
  format: 'date-time',
  description,
  example: '2026-06-13T04:00:00.000Z',
});
const text = (description: string, example: string, more: JsonSchema = {}): JsonSchema => ({
  type: 'string',
  description,
  example,
  ...more,
});
const URL = { format: 'uri', maxLength: 1024 };
const choice = (choices: readonly string[], description: string, example: string): JsonSchema =>
  text(description, example, { enum: choices });

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
    url: text('URL of detailed results. Reserved; currently not set.', 'https://example.com/dry-run', URL),
  },
};
const ERROR: JsonSchema = {
  title: 'ImportError',
  type: 'object',
  description: 'Error that stopped the import.',
  properties: {
    name: text('Type of the error, such as `Validation`.', 'Validation'),
    message: text('Human-readable description of the error.', 'importBundle is not a valid zip file'),
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
      type: text('Type of the resource, such as `Flow`.', 'Flow'),
      name: text('Name of the resource in the bundle.', 'Alarm'),
      id: text('ID of the resource in the bundle.', '~exportplaceholderid-flow-alarm~'),
      message: text('Reason why the resource is invalid.', 'flow.name is required'),
    },
  },
};

const EXECUTION: JsonSchema = {
  title: 'ApplicationImportExecution',
  type: 'object',
  description: 'Import into an application, with its options and result.',
  properties: {
    id: id('Unique ID of the import.'),
    importExecutionId: id('Same value as `id`.'),
    applicationId: id('ID of the application that was imported into.'),
    jobId: text(
      'ID of the job that runs the import; absent if the request ran it.',
      '575ec8687ae143cd83dc4',
      {
        maxLength: 21,
      },
    ),
    status: choice(JOB_STATUSES, 'Current status of the import.', 'completed'),
    importSourceType: choice(
      ['importBundle', 'importUrl', 'fromApplication', 'repository'],
      'Type of source the bundle comes from.',
      'importBundle',
    ),
    importUrl: text(
      'URL that the bundle was fetched from, without the query string.',
      'https://example.com/bundle.zip',
      URL,
    ),
    importedFileUrl: text(
      'URL of the stored bundle. Never set, because bundles are not kept.',
      'https://example.com/bundle.zip',
      URL,
    ),
    fromApplicationId: id('ID of the application that was imported from.'),
    include: {
      ...INCLUDE,
      description: 'Resource types to import; absent if everything was requested.',
      example: ['Flow'],
    },
    conflictBehavior: choice(CONFLICT_BEHAVIORS, 'Handling of resources that already existed.', 'create'),
    dryRun: { type: 'boolean', description: 'Whether the import was only validated.', example: false },
    dryRunResults: DRY_RUN_RESULTS,
    validationErrors: PROBLEMS,
    error: ERROR,
    email: text('Email address notified when the import finished.', 'ada@example.com', {
      format: 'email',
      maxLength: 1024,
    }),
    callbackUrl: text(
      'URL notified when the import finished. Never set, because it may contain a secret.',
      'https://example.com/told',
      URL,
    ),
    credentialName: text('Name of the service credential for the repository.', 'repository'),
    repo: REPO,
    sourceId: id('ID of the caller that requested the import.'),
    sourceType: choice(
      ['flow', 'user', 'device', 'apiToken', 'notebook'],
      'Type of the caller that requested the import.',
      'user',
    ),
    runQueuedAt: date('Time the import was requested, in UTC.'),
    runStartedAt: date('Time the import started, in UTC.'),
    runCompletedAt: date('Time the import finished, in UTC.'),
  },
};

/** Response schema of the import log. */
export const APPLICATION_IMPORT_EXECUTIONS: JsonSchema = {
  title: 'ApplicationImportExecutions',
  type: 'array',
  description: 'Imports into an application, newest first.',
  items: EXECUTION,
};
