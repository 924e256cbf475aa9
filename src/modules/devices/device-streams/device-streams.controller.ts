import { Controller, Get, Param, Query, Res, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import { DEVICES_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import { QueryInteger } from '../../../platform/lists/query-fields.js';
import { OpenStreams, StreamContext } from '../../../platform/streams/open-streams.js';
import { DevicesRepository } from '../devices/devices.repository.js';
import { COMMAND_EVENT, commandChannel, STATE_EVENT, stateChannel } from './device-events.js';

const STREAM_NOTE =
  'The response remains open until the client closes it, the token expires or is revoked, or access to the device is lost. A client that reconnects within a minute with `Last-Event-ID` receives the events it missed, up to the last 100. Some of these can be missing after a fault. A client that falls behind by 1 MiB is disconnected, and so are the slowest clients if the server holds too many events. Returns `429` if the token or the owner has too many open streams.';

/** What a client can rely on while a stream is open. */
const GUARANTEE =
  'While the stream is open, no event is skipped. If an event may have been lost, for example because a process died, the server ends the stream. This happens within about 15 seconds, or as soon as its connections are available again. The client must then reconnect.';

const COMMAND_GUARANTEE = `${GUARANTEE} After each connect, a client opens the stream first and then reads the commands since the last one that it received with \`GET …/command\`, because every accepted command is stored. A command can arrive both ways, and \`since\` refers to its \`time\`, which the sender can set.`;

const STATE_GUARANTEE = `${GUARANTEE} After each connect, a client opens the stream first and then reads the newest values with \`GET …/compositeState\`, because every accepted state is stored. \`meta\` is only in the stream.`;

/** Parameters that keep a stream open. */
export class StreamQuery {
  @QueryInteger({
    description: 'Seconds between two keep-alive comments.',
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
    summary: 'Streams the commands sent to a device',
    description: `Sends a server-sent event named \`deviceCommand\` for each new command. ${COMMAND_GUARANTEE} ${STREAM_NOTE}`,
    scopes: DEVICES_READ,
    role: 'view',
    returns: { 200: null },
    events: { deviceCommand: COMMAND_EVENT },
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
    summary: 'Streams the state reports of a device',
    description: `Sends a server-sent event named \`deviceState\` for each new accepted state. ${STATE_GUARANTEE} ${STREAM_NOTE}`,
    scopes: DEVICES_READ,
    role: 'view',
    returns: { 200: null },
    events: { deviceState: STATE_EVENT },
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
      find: (application) => this.devices.findOneFor(application, deviceId),
    });
  }
}
