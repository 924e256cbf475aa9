import { Injectable } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import type { JsonSchema } from '../../../platform/fields/fields.js';
import { anySchema, textSchema, timeSchema } from '../../../platform/fields/schema.js';
import { Streams } from '../../../platform/streams/streams.js';
import { extendedJson, PlatformTopics } from '../../../platform/topics/platform-topics.js';
import { TopicBus } from '../../../platform/topics/topic-bus.js';

/** Channels of the streams of a device. */
export const stateChannel = (deviceId: string): string => `device:${deviceId}:state`;
export const commandChannel = (deviceId: string): string => `device:${deviceId}:command`;

/** Event that announces a stored state of a device. */
export interface StateEvent {
  time: Date;
  data: object;
  meta?: unknown;
}

/** States of a report; `isBatch` if they were sent as an array. */
export interface ReportEvent {
  states: readonly StateEvent[];
  isBatch: boolean;
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

/** Device of an event. */
export interface EventDevice {
  id: string;
  applicationId: string;
}

/**
 * Announces device events to the clients of their streams, and to clients that subscribe to their topics. Must be called
 * after the data is stored; does not wait.
 */
@Injectable()
export class DeviceEvents {
  private readonly topics: PlatformTopics;

  constructor(
    private readonly streams: Streams,
    private readonly bus: TopicBus,
    { TOPIC_PREFIX }: Config,
  ) {
    this.topics = new PlatformTopics(TOPIC_PREFIX);
  }

  /**
   * Announces the accepted states of a report. `message` is the report as received over MQTT, which subscribers receive
   * unchanged.
   */
  state({ id, applicationId }: EventDevice, { states, isBatch }: ReportEvent, message?: Buffer): void {
    for (const data of states) this.streams.publish(stateChannel(id), { name: 'deviceState', data });
    this.send(applicationId, this.topics.state(id), message ?? (() => (isBatch ? states : states[0])));
  }

  command(applicationId: string, deviceIds: readonly string[], data: CommandEvent): void {
    for (const id of deviceIds) {
      this.streams.publish(commandChannel(id), { name: 'deviceCommand', data });
      this.send(applicationId, this.topics.command(id), () => data);
    }
  }

  private send(applicationId: string, topic: string, message: Buffer | (() => unknown)): void {
    if (!this.bus.mayHaveReaders(applicationId, topic)) return;
    const payload = Buffer.isBuffer(message) ? message : Buffer.from(extendedJson(message()));
    this.bus.publish(applicationId, topic, payload, { isExact: true });
  }
}
