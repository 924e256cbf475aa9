import type { JsonSchema } from '../../../platform/fields/fields.js';
import { REPORT_TIME } from '../device-state/device-state.schemas.js';
import type { ReportTime } from '../device-state/report-time.js';

/** What a device, or whoever speaks for it, says of its connection. */
export type ConnectionStatus =
  | { status: 'connected'; connectedAt?: ReportTime; ipAddress?: string }
  | {
      status: 'disconnected';
      connectedAt?: ReportTime;
      disconnectedAt?: ReportTime;
      disconnectReason?: string;
      ipAddress?: string;
      messagesFromClient?: number;
      messagesToClient?: number;
    };

const ADDRESS: JsonSchema = {
  type: 'string',
  minLength: 2,
  maxLength: 39,
  description: 'The address that it connected from.',
  example: '203.0.113.7',
};
const messages = (description: string): JsonSchema => ({
  type: 'integer',
  minimum: 0,
  maximum: 2_147_483_647,
  description,
  example: 42,
});
const REASON: JsonSchema = {
  type: 'string',
  maxLength: 1024,
  description: 'Why the connection ended.',
  example: 'The battery is low',
};
const FROM_CLIENT = messages('How many messages came from it.');
const TO_CLIENT = messages('How many messages went to it.');
const CONNECTED_AT = {
  ...REPORT_TIME,
  description: `When it connected. ${REPORT_TIME.description as string}`,
};

const status = (value: string): JsonSchema => ({
  type: 'string',
  enum: [value],
  description: 'What it is now.',
  example: value,
});

export const CONNECTION_STATUS: JsonSchema = {
  title: 'DeviceConnectionStatus',
  description: 'That a device connected, or that its connection ended.',
  oneOf: [
    {
      title: 'DeviceConnected',
      type: 'object',
      additionalProperties: false,
      required: ['status'],
      description: 'That a device connected.',
      properties: { status: status('connected'), connectedAt: CONNECTED_AT, ipAddress: ADDRESS },
    },
    {
      title: 'DeviceDisconnected',
      type: 'object',
      additionalProperties: false,
      required: ['status'],
      description: 'That the connection of a device ended.',
      properties: {
        status: status('disconnected'),
        connectedAt: CONNECTED_AT,
        disconnectedAt: {
          ...REPORT_TIME,
          description: `When the connection ended. ${REPORT_TIME.description as string}`,
        },
        disconnectReason: REASON,
        ipAddress: ADDRESS,
        messagesFromClient: FROM_CLIENT,
        messagesToClient: TO_CLIENT,
      },
    },
  ],
};

export const DEVICE_LOG: JsonSchema = {
  title: 'DeviceLog',
  type: 'array',
  description: 'When a device connected, and when its connections ended.',
  items: {
    title: 'DeviceLogEntry',
    type: 'object',
    description: 'That a device connected, or that its connection ended.',
    properties: {
      connected: {
        type: 'integer',
        enum: [1, 0],
        description: '1 for a connection, 0 for its end.',
        example: 1,
      },
      time: {
        type: 'string',
        format: 'date-time',
        description: 'When it was.',
        example: '2026-06-13T04:00:00.000Z',
      },
      disconnectReason: REASON,
      ipAddress: ADDRESS,
      messagesFromClient: FROM_CLIENT,
      messagesToClient: TO_CLIENT,
    },
  },
};
