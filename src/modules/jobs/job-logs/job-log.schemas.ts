import { ID_EXAMPLE, ID_PATTERN, type JsonSchema } from '../../../platform/fields/fields.js';

const id = (description: string) => ({
  type: 'string',
  pattern: ID_PATTERN,
  description,
  example: ID_EXAMPLE,
});
const count = (description: string) => ({ type: 'integer', minimum: 0, description, example: 3 });
const text = (description: string, example: string) => ({ type: 'string', description, example });
const time = (description: string) => ({
  type: 'integer',
  format: 'int64',
  description: `${description} In milliseconds since 1970.`,
  example: 1_795_243_305_122,
});
const url = (description: string) => ({
  type: 'string',
  format: 'uri',
  maxLength: 1024,
  description,
  example: 'https://example.com/',
});

/** Schema of the parameters of a job, as shown in the log. */
export const JOB_INPUT: JsonSchema = {
  title: 'JobInput',
  type: 'object',
  description: 'Parameters of a job, without secrets.',
  properties: {
    callbackUrl: url('Origin of the callback URL. The rest of the URL can be secret and is omitted.'),
    emails: {
      type: 'array',
      items: { type: 'string', format: 'email', maxLength: 1024, example: 'ada@example.com' },
      description: 'Email addresses that are notified when the job ends.',
    },
    start: time('Start of the period.'),
    end: time('End of the period.'),
    fileUrl: url('Origin of the URL from which the job reads a file.'),
    gatewayId: id('ID of the gateway.'),
    parentId: id('ID of the parent device.'),
    ownerId: id('ID of the owner of the created resources.'),
    ownerType: {
      type: 'string',
      enum: ['user', 'organization'],
      description: 'Type of the owner of the created resources.',
      example: 'user',
    },
    query: text('Advanced query, as JSON text.', '{"name":"Pump 3"}'),
    templateContext: text('Context of a template, as JSON text.', '{}'),
  },
};

/** Schema of the results of a job, as shown in the log. */
export const JOB_OUTPUT: JsonSchema = {
  title: 'JobOutput',
  type: 'object',
  description: 'Results of a job.',
  properties: {
    applicationId: id('ID of the created application.'),
    commit: text('ID of the created commit.', '9fceb02d0ae598e95dc970b74767f19372d61af8'),
    created: count('Number of created resources.'),
    failed: count('Number of failures.'),
    removed: count('Number of removed resources.'),
    restored: count('Number of restored resources.'),
    written: count('Number of written resources.'),
    dataTablesDirectory: text('Folder to which data tables were written.', 'archive/data-tables'),
    devicesDirectory: text('Folder to which device data was written.', 'archive/devices'),
    eventsDirectory: text('Folder to which events were written.', 'archive/events'),
    downloadUrls: {
      type: 'array',
      items: url('A link.'),
      description:
        'Links to created files that require separate authorization. Links that grant access to anyone are sent only to the requester and never logged.',
    },
    eeaBundleVersion: text('Version of the compiled bundle.', '1.0.0'),
    noChanges: { type: 'boolean', description: 'Whether nothing had to be changed.', example: false },
    repoUrl: text('URL of the repository that was written to.', 'https://example.com/ada/pumps.git'),
    skippedDateInFuture: count('Number of rows skipped because their time is in the future.'),
    skippedDateTooOld: count('Number of rows skipped because they are too old.'),
    skippedDeviceNotFound: count('Number of rows skipped because the device does not exist.'),
    skippedInvalidDate: count('Number of rows skipped because their time is not valid.'),
    skippedNoValidAttributes: count(
      'Number of rows skipped because they contain no attribute of the device.',
    ),
    validationErrors: {
      type: 'array',
      description: 'Validation errors of individual resources, which were skipped.',
      items: {
        title: 'JobValidationError',
        type: 'object',
        description: 'Validation error of a resource.',
        properties: {
          type: text('Type of the resource.', 'Flow'),
          name: text('Name of the resource.', 'Alarm'),
          id: text('ID of the resource.', ID_EXAMPLE),
          message: text('Description of the validation error.', 'Node IDs must be unique.'),
        },
      },
    },
  },
};

export const JOB_PROGRESS: JsonSchema = {
  title: 'JobProgress',
  type: 'object',
  description: 'Progress of a job.',
  properties: {
    completed: count('Number of completed items.'),
    total: count('Total number of items, as far as known.'),
    status: text('Description of the current step.', 'devices exported'),
  },
};

export const JOB_ERROR: JsonSchema = {
  title: 'JobError',
  type: 'object',
  description: 'Error that ended a job or caused a retry.',
  properties: {
    name: text('Type of the error.', 'Validation'),
    message: text('Human-readable description of the error.', 'Application was not found'),
  },
};
