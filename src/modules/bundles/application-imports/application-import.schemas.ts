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
  description: 'What would be in the way, of an import that was only looked at.',
  properties: {
    limitErrors: {
      type: 'array',
      uniqueItems: true,
      items: { type: 'string', enum: IMPORTED_TYPES },
      description: 'What the owner may not have so many of.',
      example: ['Device'],
    },
    url: text('Where more of it stands; nowhere yet.', 'https://example.com/dry-run', URL),
  },
};
const ERROR: JsonSchema = {
  title: 'ImportError',
  type: 'object',
  description: 'Why it was not done.',
  properties: {
    name: text('The kind of error.', 'Validation'),
    message: text('What happened.', 'importBundle is no zip file, or breaks off'),
  },
};
const PROBLEMS: JsonSchema = {
  type: 'array',
  description: 'What could not be imported, or not as it was: the first hundred.',
  items: {
    title: 'ImportProblem',
    type: 'object',
    description: 'What was wrong with one resource.',
    properties: {
      type: text('The kind of resource.', 'Flow'),
      name: text('Its name.', 'Alarm'),
      id: text('Its id in the bundle.', '~exportplaceholderid-flow-alarm~'),
      message: text('What is wrong.', 'flow.name is required'),
    },
  },
};

const EXECUTION: JsonSchema = {
  title: 'ApplicationImportExecution',
  type: 'object',
  description: 'An import into an application.',
  properties: {
    id: id('The id of the import.'),
    importExecutionId: id('The same again.'),
    applicationId: id('The application.'),
    jobId: text('The job that does it; none where the request did.', '575ec8687ae143cd83dc4', {
      maxLength: 21,
    }),
    status: choice(JOB_STATUSES, 'How far it is.', 'completed'),
    importSourceType: choice(
      ['importBundle', 'importUrl', 'fromApplication', 'repository'],
      'What it is from.',
      'importBundle',
    ),
    importUrl: text(
      'Where the bundle was fetched from, without the query.',
      'https://example.com/bundle.zip',
      URL,
    ),
    importedFileUrl: text(
      'Where the bundle is; bundles are not kept.',
      'https://example.com/bundle.zip',
      URL,
    ),
    fromApplicationId: id('The application that it is from.'),
    include: { ...INCLUDE, description: 'What was asked for; absent, everything.', example: ['Flow'] },
    conflictBehavior: choice(CONFLICT_BEHAVIORS, 'What was to become of resources that are there.', 'create'),
    dryRun: { type: 'boolean', description: 'Whether it was only looked at.', example: false },
    dryRunResults: DRY_RUN_RESULTS,
    validationErrors: PROBLEMS,
    error: ERROR,
    email: text('Who was to get a mail.', 'ada@example.com', { format: 'email', maxLength: 1024 }),
    callbackUrl: text('Who was told; not kept, as it may hold a secret.', 'https://example.com/told', URL),
    credentialName: text('The service credential for a repository.', 'repository'),
    repo: REPO,
    sourceId: id('Who asked for it.'),
    sourceType: choice(['flow', 'user', 'device', 'apiToken', 'notebook'], 'What they are.', 'user'),
    runQueuedAt: date('When it was asked for.'),
    runStartedAt: date('When it was begun.'),
    runCompletedAt: date('When it ended.'),
  },
};

/** The imports into an application. */
export const APPLICATION_IMPORT_EXECUTIONS: JsonSchema = {
  title: 'ApplicationImportExecutions',
  type: 'array',
  description: 'Imports into an application, the newest first.',
  items: EXECUTION,
};
