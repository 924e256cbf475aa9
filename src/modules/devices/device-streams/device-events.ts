import { Injectable } from '@nestjs/common';
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
