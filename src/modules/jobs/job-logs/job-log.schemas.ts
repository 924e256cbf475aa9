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

/** What a job was asked for, as its log shows it. */
export const JOB_INPUT: JsonSchema = {
  title: 'JobInput',
  type: 'object',
  description: 'What a job was asked for, without secrets.',
  properties: {
    callbackUrl: url('The origin of where its end is posted to; the rest of the URL may be a secret.'),
    emails: {
      type: 'array',
      items: { type: 'string', format: 'email', maxLength: 1024, example: 'ada@example.com' },
      description: 'Where its end is mailed to.',
    },
    start: time('From when on.'),
    end: time('Until when.'),
    fileUrl: url('The origin of where it reads a file.'),
    gatewayId: id('The gateway.'),
    parentId: id('The device that others are below.'),
    ownerId: id('The owner of what it makes.'),
    ownerType: {
      type: 'string',
      enum: ['user', 'organization'],
      description: 'What that owner is.',
      example: 'user',
    },
    query: text('The advanced query, as JSON.', '{"name":"Pump 3"}'),
    templateContext: text('What a template is given, as JSON.', '{}'),
  },
};

/** What came of a job, as its log shows it. */
export const JOB_OUTPUT: JsonSchema = {
  title: 'JobOutput',
  type: 'object',
  description: 'What came of a job.',
  properties: {
    applicationId: id('The application that it made.'),
    commit: text('The commit that it made.', '9fceb02d0ae598e95dc970b74767f19372d61af8'),
    created: count('How many it created.'),
    failed: count('How many it failed with.'),
    removed: count('How many it removed.'),
    restored: count('How many it restored.'),
    written: count('How many it wrote.'),
    dataTablesDirectory: text('Where it wrote data tables.', 'archive/data-tables'),
    devicesDirectory: text('Where it wrote data of devices.', 'archive/devices'),
    eventsDirectory: text('Where it wrote events.', 'archive/events'),
    downloadUrls: {
      type: 'array',
      items: url('A link.'),
      description:
        'Links to what it made, where they need a right of their own. Links that open it to whoever has them are sent to those who asked, and no log has them.',
    },
    eeaBundleVersion: text('The version of the bundle that it compiled.', '1.0.0'),
    noChanges: { type: 'boolean', description: 'Whether there was nothing to do.', example: false },
    repoUrl: text('The repository that it wrote to.', 'https://example.com/ada/pumps.git'),
    skippedDateInFuture: count('Rows that were left out as their time is in the future.'),
    skippedDateTooOld: count('Rows that were left out as they are too old.'),
    skippedDeviceNotFound: count('Rows that were left out as there is no such device.'),
    skippedInvalidDate: count('Rows that were left out as their time is none.'),
    skippedNoValidAttributes: count('Rows that were left out as they have no attribute of the device.'),
    validationErrors: {
      type: 'array',
      description: 'What was wrong with single resources, which were left out.',
      items: {
        title: 'JobValidationError',
        type: 'object',
        description: 'What was wrong with one resource.',
        properties: {
          type: text('The kind of resource.', 'Flow'),
          name: text('Its name.', 'Alarm'),
          id: text('Its id.', ID_EXAMPLE),
          message: text('What is wrong.', 'Node IDs must be unique.'),
        },
      },
    },
  },
};

export const JOB_PROGRESS: JsonSchema = {
  title: 'JobProgress',
  type: 'object',
  description: 'How far a job is.',
  properties: {
    completed: count('How much is done.'),
    total: count('How much there is to do, as far as is known.'),
    status: text('What it is doing.', 'devices exported'),
  },
};

export const JOB_ERROR: JsonSchema = {
  title: 'JobError',
  type: 'object',
  description: 'What ended a job, or why it is to be tried again.',
  properties: {
    name: text('The kind of error.', 'Validation'),
    message: text('What happened, for people.', 'Application was not found'),
  },
};
