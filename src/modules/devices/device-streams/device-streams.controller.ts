import { Controller, Get, Param, Query, Res, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import { Caller } from '../../../platform/access/request.js';
import type { Principal } from '../../../platform/access/principal.js';
import { APPLICATION_CHILDREN_WRITE, DEVICES_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import { OpenStreams, StreamContext } from '../../../platform/streams/open-streams.js';
import { streamNote, StreamQuery } from '../../../platform/streams/stream-query.js';
import { deviceDebugChannel, ownDeviceDebugChannel } from '../../../workflows/debug/debug-channels.js';
import { DEBUG_NOTE, DEVICE_DEBUG_EVENTS, DEVICE_ERROR_NOTE } from '../../../workflows/debug/debug-events.js';
import { DebugStreams } from '../../../workflows/debug/debug-streams.js';
import { DevicesRepository } from '../devices/devices.repository.js';
import { COMMAND_EVENT, commandChannel, STATE_EVENT, stateChannel } from './device-events.js';

const STREAM_NOTE = streamNote('device');

/** What a client can rely on while a stream is open. */
const GUARANTEE =
  'While the stream is open, no event is skipped. If an event may have been lost, for example because a process died, the server ends the stream. This happens within about 15 seconds, or as soon as its connections are available again. The client must then reconnect.';

const COMMAND_GUARANTEE = `${GUARANTEE} After each connect, a client opens the stream first and then reads the commands since the last one that it received with \`GET …/command\`, because every accepted command is stored. A command can arrive both ways, and \`since\` refers to its \`time\`, which the sender can set.`;

const STATE_GUARANTEE = `${GUARANTEE} After each connect, a client opens the stream first and then reads the newest values with \`GET …/compositeState\`, because every accepted state is stored. \`meta\` is only in the stream.`;

@Controller('applications/:applicationId/devices/:deviceId')
export class DeviceStreamsController {
  constructor(
    private readonly streams: OpenStreams,
    private readonly debugStreams: DebugStreams,
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

  @Get('debugStream')
  @Operation('device.debugStream', {
    summary: 'Streams the debug messages of runs that a device has started',
    description: `${DEBUG_NOTE} ${DEVICE_ERROR_NOTE} A device that calls this operation receives messages without \`payload\`. ${STREAM_NOTE}`,
    scopes: APPLICATION_CHILDREN_WRITE,
    scopedAs: 'device.debug',
    role: 'collaborate',
    returns: { 200: null },
    events: DEVICE_DEBUG_EVENTS,
    missing: 'device',
  })
  debug(
    @Caller() { subject }: Principal,
    @Param('deviceId') deviceId: string,
    @Query() query: StreamQuery,
    @StreamContext() context: ExecutionContext,
    @Res() _response: Response,
  ): Promise<void> {
    const channel = (subject.type === 'device' ? ownDeviceDebugChannel : deviceDebugChannel)(deviceId);
    return this.debugStreams.open(context, channel, query, (application) =>
      this.devices.findOneFor(application, deviceId),
    );
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
