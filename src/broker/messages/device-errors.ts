import { Injectable } from '@nestjs/common';
import { RunsIn } from '../../platform/processes/roles.js';
import { Streams } from '../../platform/streams/streams.js';
import { applicationDebugChannel, deviceDebugChannel } from '../../workflows/debug/debug-channels.js';

/** A message or connection of a device that was refused. */
export interface DeviceError {
  applicationId: string;
  deviceId: string;
  topic?: string;
  message: string;
}

/** Shows in streams of debug messages what devices do wrong, because MQTT has no errors for them. */
@Injectable()
@RunsIn('broker')
export class DeviceErrors {
  constructor(private readonly streams: Streams) {}

  send({ applicationId, ...error }: DeviceError): void {
    const event = { name: 'deviceError', data: { ...error, time: new Date() } };
    for (const channel of [applicationDebugChannel(applicationId), deviceDebugChannel(error.deviceId)])
      this.streams.publish(channel, event);
  }
}
