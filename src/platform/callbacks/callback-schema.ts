import type { JsonSchema } from '../fields/fields.js';
import { choiceSchema, idSchema, textSchema, timeSchema } from '../fields/schema.js';

/** Error of a job that has failed. */
const JOB_FAILURE: JsonSchema = {
  title: 'JobFailure',
  type: 'object',
  description: 'Error of a job that has failed.',
  required: ['type', 'message'],
  properties: {
    type: textSchema('Error code for programs, as in error responses.', 'Validation'),
    message: textSchema('Human-readable message.', 'The application was deleted'),
  },
};

/**
 * Returns the schema of the callbacks of a job. `name` is the prefix of its components, and `outcome` has the
 * properties that `Outcome.data` adds to those of every job.
 */
export function callbackSchema(name: string, outcome: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return {
    title: `${name}Callback`,
    type: 'object',
    description: 'The end of a job, as posted to `callbackUrl`.',
    required: ['type', 'timestamp', 'data'],
    properties: {
      type: textSchema('Operation that requested the job, as in scopes.', 'device.export'),
      timestamp: timeSchema('Time of this attempt to deliver the callback, in UTC.'),
      data: {
        title: `${name}Outcome`,
        type: 'object',
        description:
          'Result of the job. If the job has failed, `error` replaces the properties of its result.',
        required: ['jobId', 'status'],
        properties: {
          jobId: textSchema('ID of the job, as in the response that accepted it.', 'V1StGXR8_Z5jdHi6B-myT'),
          applicationId: idSchema('ID of the application. Absent for jobs of an instance.'),
          instanceId: idSchema('ID of the instance. Absent for jobs of an application.'),
          status: choiceSchema(['completed', 'failed'], 'Whether the job succeeded.', 'completed'),
          error: JOB_FAILURE,
          ...outcome,
        },
      },
    },
  };
}
