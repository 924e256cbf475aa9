import type { JsonSchema } from '../../../platform/fields/fields.js';
import { anySchema } from '../../../platform/fields/schema.js';
import { REPORT_TIME } from '../device-state/device-state.schemas.js';
import type { ReportTime } from '../device-state/report-time.js';
import {
  DEVICE_IDS,
  DEVICE_QUERY_BODY,
  DEVICE_TAGS,
  type DeviceSelection,
} from '../devices/device-selection.js';

/** Maximum size of a payload as JSON, in bytes. */
export const MAX_PAYLOAD_BYTES = 256 * 1024;

/** Command in a request body. */
export interface SentCommand {
  name: string;
  payload?: unknown;
  time?: ReportTime;
}

/** Command to many devices in a request body. */
export type SelectingCommand = SentCommand & DeviceSelection;

const NAME: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description: 'Name of the command, as the device knows it.',
  example: 'open',
};
const PAYLOAD = anySchema(
  `Arguments of the command: any JSON value of at most ${MAX_PAYLOAD_BYTES / 1024} KiB. \`null\` means that there is no payload.`,
  { percent: 40 },
);
const COMMAND = { name: NAME, payload: PAYLOAD, time: REPORT_TIME };

export const DEVICE_COMMAND: JsonSchema = {
  title: 'DeviceCommand',
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  description: 'Command to send to a device.',
  properties: COMMAND,
};

export const MULTI_DEVICE_COMMAND: JsonSchema = {
  title: 'MultiDeviceCommand',
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  description: 'Command to send to multiple devices.',
  properties: {
    ...COMMAND,
    deviceIds: { ...DEVICE_IDS, description: 'IDs of devices that receive the command.' },
    deviceTags: {
      ...DEVICE_TAGS,
      description: 'Tags that select devices; a device with any of the tags receives the command.',
    },
    deviceQuery: DEVICE_QUERY_BODY,
  },
};

export const DEVICE_COMMANDS_SENT: JsonSchema = {
  title: 'DeviceCommands',
  type: 'array',
  description: 'Commands that were sent to a device.',
  items: DEVICE_COMMAND,
};
