import type { JsonSchema } from '../../../platform/fields/fields.js';
import { REPORT_TIME } from '../device-state/device-state.schemas.js';
import type { ReportTime } from '../device-state/report-time.js';
import {
  DEVICE_IDS,
  DEVICE_QUERY_BODY,
  DEVICE_TAGS,
  type DeviceSelection,
} from '../devices/device-selection.js';

/** What a payload may take, as JSON. */
export const MOST_PAYLOAD_BYTES = 256 * 1024;

/** A command as it is asked for. */
export interface SentCommand {
  name: string;
  payload?: unknown;
  time?: ReportTime;
}

/** A command to many devices. */
export type SelectingCommand = SentCommand & DeviceSelection;

const NAME: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description: 'What the device is to do.',
  example: 'open',
};
const PAYLOAD: JsonSchema = {
  description: `What it needs to know for that: any JSON, of at most ${MOST_PAYLOAD_BYTES / 1024} KiB; \`null\` is none.`,
  example: { percent: 40 },
};
const COMMAND = { name: NAME, payload: PAYLOAD, time: REPORT_TIME };

export const DEVICE_COMMAND: JsonSchema = {
  title: 'DeviceCommand',
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  description: 'A command to a device.',
  properties: COMMAND,
};

export const MULTI_DEVICE_COMMAND: JsonSchema = {
  title: 'MultiDeviceCommand',
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  description: 'A command to several devices.',
  properties: {
    ...COMMAND,
    deviceIds: { ...DEVICE_IDS, description: 'Devices by their ids.' },
    deviceTags: { ...DEVICE_TAGS, description: 'Devices by their tags.' },
    deviceQuery: DEVICE_QUERY_BODY,
  },
};

export const DEVICE_COMMANDS_SENT: JsonSchema = {
  title: 'DeviceCommands',
  type: 'array',
  description: 'Commands that a device got.',
  items: DEVICE_COMMAND,
};
