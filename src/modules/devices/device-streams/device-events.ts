import { Injectable } from '@nestjs/common';
import type { JsonSchema } from '../../../platform/fields/fields.js';
import { anySchema, textSchema, timeSchema } from '../../../platform/fields/schema.js';
import { Streams } from '../../../platform/streams/streams.js';

/** Channels of the streams of a device. */
export const stateChannel = (deviceId: string): string => `device:${deviceId}:state`;
export const commandChannel = (deviceId: string): string => `device:${deviceId}:command`;

/** Event that announces a stored state of a device. */
export interface StateEvent {
  time: Date;
  data: object;
  meta?: unknown;
}

/** Event for a command to a device. */
export interface CommandEvent {
  name: string;
  time: Date;
  payload?: unknown;
}

export const STATE_EVENT: JsonSchema = {
  title: 'DeviceStateEvent',
  type: 'object',
  description: 'A state that was accepted for a device.',
  required: ['time', 'data'],
  properties: {
    time: timeSchema('Time of the state, in UTC.'),
    data: {
      type: 'object',
      additionalProperties: true,
      description: 'Values of attributes, keyed by their name.',
      example: { temperature: 21.5 },
    },
    meta: anySchema('Additional data of the report, of any type.', { line: 3 }),
  },
};

export const COMMAND_EVENT: JsonSchema = {
  title: 'DeviceCommandEvent',
  type: 'object',
  description: 'A command that was sent to a device.',
  required: ['name', 'time'],
  properties: {
    name: textSchema('Name of the command.', 'open'),
    time: timeSchema('Time of the command, in UTC.'),
    payload: anySchema('Data for the device, of any type.', { valve: 3 }),
  },
};

/** Announces device events to the clients of their streams. Must be called after the data is stored; does not wait. */
@Injectable()
export class DeviceEvents {
  constructor(private readonly streams: Streams) {}

  state(deviceId: string, states: readonly StateEvent[]): void {
    for (const data of states) this.streams.publish(stateChannel(deviceId), { name: 'deviceState', data });
  }

  command(deviceIds: readonly string[], data: CommandEvent): void {
    for (const id of deviceIds) this.streams.publish(commandChannel(id), { name: 'deviceCommand', data });
  }
}
