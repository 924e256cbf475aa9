import { ID_EXAMPLE, type JsonSchema } from '../../../platform/fields/fields.js';
import { countSchema, idSchema, textSchema } from '../../../platform/fields/schema.js';

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
  example: { emails: ['ada@example.com'], query: '{"name":"Pump 3"}' },
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
    gatewayId: idSchema('ID of the gateway.'),
    parentId: idSchema('ID of the parent device.'),
    ownerId: idSchema('ID of the owner of the created resources.'),
    ownerType: {
      type: 'string',
      enum: ['user', 'organization'],
      description: 'Type of the owner of the created resources.',
      example: 'user',
    },
    query: textSchema('Advanced query, as JSON text.', '{"name":"Pump 3"}'),
    templateContext: textSchema('Context of a template, as JSON text.', '{}'),
  },
};

/** Schema of the results of a job, as shown in the log. */
export const JOB_OUTPUT: JsonSchema = {
  title: 'JobOutput',
  type: 'object',
  description: 'Results of a job.',
  example: { written: 3, downloadUrls: ['https://example.com/'] },
  properties: {
    applicationId: idSchema('ID of the created application.'),
    commit: textSchema('ID of the created commit.', '9fceb02d0ae598e95dc970b74767f19372d61af8'),
    created: countSchema('Number of created resources.'),
    failed: countSchema('Number of failures.'),
    removed: countSchema('Number of removed resources.'),
    restored: countSchema('Number of restored resources.'),
    written: countSchema('Number of written resources.'),
    dataTablesDirectory: textSchema('Folder to which data tables were written.', 'archive/data-tables'),
    devicesDirectory: textSchema('Folder to which device data was written.', 'archive/devices'),
    eventsDirectory: textSchema('Folder to which events were written.', 'archive/events'),
    downloadUrls: {
      type: 'array',
      items: url('A link.'),
      description:
        'Links to created files that require separate authorization. Links that grant access to anyone are sent only to the requester and never logged.',
    },
    eeaBundleVersion: textSchema('Version of the compiled bundle.', '1.0.0'),
    noChanges: { type: 'boolean', description: 'Whether nothing had to be changed.', example: false },
    repoUrl: textSchema('URL of the repository that was written to.', 'https://example.com/ada/pumps.git'),
    skippedDateInFuture: countSchema('Number of rows skipped because their time is in the future.'),
    skippedDateTooOld: countSchema('Number of rows skipped because they are too old.'),
    skippedDeviceNotFound: countSchema('Number of rows skipped because the device does not exist.'),
    skippedInvalidDate: countSchema('Number of rows skipped because their time is not valid.'),
    skippedNoValidAttributes: countSchema(
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
          type: textSchema('Type of the resource.', 'Flow'),
          name: textSchema('Name of the resource.', 'Alarm'),
          id: textSchema('ID of the resource.', ID_EXAMPLE),
          message: textSchema('Description of the validation error.', 'Node IDs must be unique.'),
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
    completed: countSchema('Number of completed items.'),
    total: countSchema('Total number of items, as far as known.'),
    status: textSchema('Description of the current step.', 'devices exported'),
  },
};

export const JOB_ERROR: JsonSchema = {
  title: 'JobError',
  type: 'object',
  description: 'Error that ended a job or caused a retry.',
  properties: {
    name: textSchema('Type of the error.', 'Validation'),
    message: textSchema('Human-readable description of the error.', 'Application was not found'),
  },
};
