import type { JsonSchema } from '../../platform/fields/fields.js';
import {
  anySchema,
  choiceSchema,
  countSchema,
  flagSchema,
  idSchema,
  textSchema,
  timeSchema,
} from '../../platform/fields/schema.js';

const DEBUG_MESSAGE: JsonSchema = {
  title: 'DebugMessage',
  type: 'object',
  description:
    'A message of a Debug node or of the `console` of a Function node, or the error of a failed run.',
  required: ['flowId', 'flowVersion', 'level', 'message', 'sourceNode', 'prevNodes', 'triggerUiIds', 'time'],
  properties: {
    flowRunId: idSchema('ID of the run that sent the message; omitted for a run on a device.'),
    flowId: idSchema('ID of the workflow.'),
    flowVersion: textSchema('Name of the version; `develop` for the development version.', '1.4.0'),
    deviceId: idSchema('ID of the device that started the run, if any.'),
    level: choiceSchema(['verbose', 'info', 'warn', 'error'], 'Severity of the message.', 'info'),
    message: textSchema('Text of the message, of at most 10,000 characters.', 'Pressure 9.1'),
    payload: anySchema('Payload of the run at that node, or the selected part of it.', {
      data: { pressure: 9.1 },
    }),
    isPayloadOmitted: flagSchema(
      'Whether the payload was left out because the message would exceed 256 KiB.',
    ),
    sourceNode: textSchema('ID of the node that sent the message.', 'log'),
    prevNodes: {
      type: 'array',
      items: { type: 'string' },
      description: 'IDs of the nodes that the path has passed before, first to last: the latest 1,000.',
      example: ['check'],
    },
    triggerUiIds: {
      type: 'array',
      items: { type: 'string' },
      description: 'IDs that the editor gave to the triggers that started the run.',
      example: ['q1'],
    },
    time: timeSchema('Time of the message, in UTC.'),
    error: {
      title: 'DebugError',
      type: 'object',
      description: 'Error that ended the run.',
      required: ['name', 'message'],
      properties: {
        name: textSchema('Name of the error class.', 'TypeError'),
        message: textSchema('Message of the error.', 'data.temp is not a number'),
      },
    },
  },
};

const DEBUG_SKIPPED: JsonSchema = {
  title: 'DebugSkipped',
  type: 'object',
  description: 'Number of messages that a second had beyond the limit.',
  required: ['count', 'time'],
  properties: {
    count: countSchema('Number of skipped messages.', 40),
    time: timeSchema('End of the second, in UTC.'),
  },
};

const DEVICE_ERROR: JsonSchema = {
  title: 'DeviceError',
  type: 'object',
  description: 'A message or connection of a device that was refused.',
  required: ['deviceId', 'message', 'time'],
  properties: {
    deviceId: idSchema('ID of the device.'),
    topic: textSchema(
      'Topic of the refused message; omitted for a refused connection.',
      'fieldwright/…/state',
    ),
    message: textSchema('Reason of the refusal.', 'The message is not valid JSON'),
    time: timeSchema('Time of the refusal, in UTC.'),
  },
};

/** Events of a stream of debug messages. */
export const DEBUG_EVENTS = { debugMessage: DEBUG_MESSAGE, debugSkipped: DEBUG_SKIPPED } as const;

/** Events of a stream that also concerns devices. */
export const DEVICE_DEBUG_EVENTS = { ...DEBUG_EVENTS, deviceError: DEVICE_ERROR } as const;

/** Describes the additional events of such a stream. */
export const DEVICE_ERROR_NOTE =
  'An event named `deviceError` reports a message or a connection over MQTT that was refused.';

/** What the descriptions of all streams of debug messages say. */
export const DEBUG_NOTE =
  'Sends a server-sent event named `debugMessage` for each message of a Debug node or of the `console` of a Function node, and for the error of each failed run. Runs that begin after the stream has opened are included. Messages inside custom nodes are not sent, except for runs that a virtual button of the custom node started. In a second, an engine sends up to 100 messages and 1 MiB to a stream. It reports the number of further messages with an event named `debugSkipped`. Messages are not stored: those sent during a fault or between two connections can be missing.';
