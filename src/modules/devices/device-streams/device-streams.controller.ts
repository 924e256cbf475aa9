import { Controller, Get, Param, Query, Res, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import { EVENT_STREAM, Operation } from '../../../platform/operations/operation.js';
import { QueryInteger } from '../../../platform/lists/query-fields.js';
import { OpenStreams, StreamContext } from '../../../platform/streams/open-streams.js';
import { DevicesRepository } from '../devices/devices.repository.js';
import { commandChannel, stateChannel } from './device-events.js';

const TOLD =
  'The answer goes on until you close it, your token ends, or you may no longer see the device. Who comes back within a minute with `Last-Event-ID` gets what was missed, the last 100 events at most. A reader who is a mebibyte behind is cut off; too many open streams of a token or an owner are 429. Needs the role `view` on the application.';

/** How a stream is kept open. */
export class StreamQuery {
  @QueryInteger({
    description: 'Seconds between two signs of life, which are comments.',
    minimum: 1,
    maximum: 60,
    default: 2,
  })
  keepAliveInterval: number;
}

@Controller('applications/:applicationId/devices/:deviceId')
export class DeviceStreamsController {
  constructor(
    private readonly streams: OpenStreams,
    private readonly devices: DevicesRepository,
  ) {}

  @Get('commandStream')
  @Operation('device.commandStream', {
    summary: 'Streams the commands that a device gets',
    description: `Server-sent events named \`deviceCommand\`, each a command as it is sent, from now on. ${TOLD}`,
    scopes: [],
    role: 'view',
    returns: { 200: EVENT_STREAM },
    missing: 'device',
  })
  commands(
    @Param('deviceId') deviceId: string,
    @Query() query: StreamQuery,
    @StreamContext() context: ExecutionContext,
    @Res() _response: Response,
  ): Promise<void> {
    return this.open(commandChannel(deviceId), deviceId, query, context);
  }

  @Get('stateStream')
  @Operation('device.stateStream', {
    summary: 'Streams the states that a device reports',
    description: `Server-sent events named \`deviceState\`, each a state as it was taken, from now on. ${TOLD}`,
    scopes: [],
    role: 'view',
    returns: { 200: EVENT_STREAM },
    missing: 'device',
  })
  states(
    @Param('deviceId') deviceId: string,
    @Query() query: StreamQuery,
    @StreamContext() context: ExecutionContext,
    @Res() _response: Response,
  ): Promise<void> {
    return this.open(stateChannel(deviceId), deviceId, query, context);
  }

  private open(
    channel: string,
    deviceId: string,
    { keepAliveInterval }: StreamQuery,
    context: ExecutionContext,
  ): Promise<void> {
    return this.streams.open(context, {
      channel,
      keepAliveInterval,
      find: (application) => this.devices.obtainFor(application, deviceId),
    });
  }
}
