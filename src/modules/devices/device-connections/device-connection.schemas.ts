import type { JsonSchema } from '../../../platform/fields/fields.js';
import { REPORT_TIME } from '../device-state/device-state.schemas.js';
import type { ReportTime } from '../device-state/report-time.js';

/** Connection status as reported by the device or by a client on its behalf. */
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
  description: 'IP address from which the device connected.',
  example: '203.0.113.7',
};
const messages = (description: string): JsonSchema => ({
  type: 'integer',
  minimum: 0,
  maximum: 2_147_483_647,
  description,
  example: 42,
});
/** Maximum length of the reason of a disconnection. */
export const MAX_REASON_LENGTH = 1_024;

const REASON: JsonSchema = {
  type: 'string',
  maxLength: MAX_REASON_LENGTH,
  description: 'Reason for the disconnection.',
  example: 'The battery is low',
};
const FROM_CLIENT = messages('Number of messages received from the device during the connection.');
const TO_CLIENT = messages('Number of messages sent to the device during the connection.');
const CONNECTED_AT = {
  ...REPORT_TIME,
  description: `Time the device connected. ${REPORT_TIME.description as string}`,
};

const status = (value: string): JsonSchema => ({
  type: 'string',
  enum: [value],
  description: 'Current connection status of the device.',
  example: value,
});

export const CONNECTION_STATUS: JsonSchema = {
  title: 'DeviceConnectionStatus',
  description: 'Connection or disconnection of a device.',
  oneOf: [
    {
      title: 'DeviceConnected',
      type: 'object',
      additionalProperties: false,
      required: ['status'],
      description: 'Reports that a device has connected.',
      properties: { status: status('connected'), connectedAt: CONNECTED_AT, ipAddress: ADDRESS },
    },
    {
      title: 'DeviceDisconnected',
      type: 'object',
      additionalProperties: false,
      required: ['status'],
      description: 'Reports that a device has disconnected.',
      properties: {
        status: status('disconnected'),
        connectedAt: CONNECTED_AT,
        disconnectedAt: {
          ...REPORT_TIME,
          description: `Time the device disconnected. ${REPORT_TIME.description as string}`,
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
  description: 'Connections and disconnections of a device.',
  items: {
    title: 'DeviceLogEntry',
    type: 'object',
    description: 'Connection or disconnection of a device.',
    properties: {
      connected: {
        type: 'integer',
        enum: [1, 0],
        description: '`1` if the device connected, `0` if it disconnected.',
        example: 1,
      },
      time: {
        type: 'string',
        format: 'date-time',
        description: 'Time of the connection or disconnection, in UTC.',
        example: '2026-06-13T04:00:00.000Z',
      },
      disconnectReason: REASON,
      ipAddress: ADDRESS,
      messagesFromClient: FROM_CLIENT,
      messagesToClient: TO_CLIENT,
    },
  },
};
