import { Column } from 'typeorm';
import { JsonField, StringField, type JsonSchema } from '../../../platform/fields/fields.js';
import {
  choiceSchema,
  idSchema,
  textSchema,
  timeSchema,
  unsampled,
} from '../../../platform/fields/schema.js';
import { Resource } from '../../../platform/repositories/resource.js';
import { CONNECTION_INFO } from '../../devices/devices/device.schemas.js';

/** Properties that log entries of both kinds share. */
const LOG_MEMBERS = {
  sourceType: {
    title: 'CallerType',
    ...choiceSchema(
      ['flow', 'user', 'device', 'apiToken', 'notebook'],
      'Type of the caller; absent if the change was caused by an update of a workflow, a device or globals.',
      'user',
    ),
  },
  sourceId: idSchema('ID of the caller that made the change.'),
  date: timeSchema('Time of the change, in UTC.'),
  changeType: choiceSchema(
    ['current', 'desired'],
    '`desired` if the version to run changed; `current` if the device reported a different version.',
    'desired',
  ),
  error: unsampled(textSchema('Error message of a failed deployment.', 'Not enough memory on the device')),
};

/** Maximum number of entries in a log; older ones are dropped. */
export const MAX_LOGGED = 25;

/** Declares the properties that deployments of both kinds share. */
export const DeploymentField = {
  deviceName: (example: string) =>
    StringField({ column: false, minLength: 1, maxLength: 255, description: 'Name of the device.', example }),
  deviceConnectionInfo: JsonField(CONNECTION_INFO, {
    column: false,
    description: 'Connection status of the device.',
    example: { connected: 1, time: '2026-06-13T04:00:00.000Z' },
  }),
  /** `members` are properties of log entries that the other kind does not have. */
  logs: (title: string, description: string, members: Record<string, JsonSchema>) =>
    JsonField(
      {
        type: 'array',
        items: { title, type: 'object', description, properties: { ...LOG_MEMBERS, ...members } },
      },
      { required: true, description: `Most recent changes, newest first; up to ${MAX_LOGGED} entries.` },
    ),
};

/** Deployment as stored, of either kind. */
export abstract class DeploymentRow extends Resource {
  /** Time at which the device was deleted, if it was. The deployment is hidden until the device is restored. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deletedAt: Date | null;
}
