import { Injectable } from '@nestjs/common';
import { Streams } from '../../../platform/streams/streams.js';

/** The channels of a device's streams. */
export const stateChannel = (deviceId: string): string => `device:${deviceId}:state`;
export const commandChannel = (deviceId: string): string => `device:${deviceId}:command`;

/** A state as its stream tells of it: what was taken of a report. */
export interface StateEvent {
  time: Date;
  data: object;
  meta?: unknown;
}

/** A command as its stream tells of it. */
export interface CommandEvent {
  name: string;
  time: Date;
  payload?: unknown;
}

/** Tells what devices do to whoever follows their streams. To be called when it is in the database; waits for nothing. */
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
