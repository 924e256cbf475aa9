import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { DEVICES_READ, DEVICE_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { HistoryQuery } from '../../../platform/lists/history-query.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Reply } from '../../../platform/responses/stored-resources.js';
import { JobEnqueuedResult, Success } from '../../../platform/fields/shared.schemas.js';
import { SELECTION_NOTE } from '../devices/device-selection.js';
import {
  DEVICE_COMMAND,
  DEVICE_COMMANDS_SENT,
  MULTI_DEVICE_COMMAND,
  type SelectingCommand,
  type SentCommand,
} from './device-command.schemas.js';
import { DeviceCommandsService } from './device-commands.service.js';

const COMMAND_NOTE =
  'The command is kept for the data retention period of the owner and sent to all clients of the command stream. A `time` more than 30 days in the past or one day in the future is replaced with the current time. Returns `429` beyond 30 commands in ten seconds, to one device or of an application to several, unless the platform is configured otherwise.';

@Controller('applications/:applicationId/devices')
export class DeviceCommandsController {
  constructor(private readonly commands: DeviceCommandsService) {}

  @Post('command')
  @Operation('devices.sendCommand', {
    summary: 'Sends a command to multiple devices',
    description: `${SELECTION_NOTE} A job sends the command if more than 1,000 devices are selected; the response is then \`202\`. ${COMMAND_NOTE}`,
    scopes: DEVICE_WRITE,
    role: 'collaborate',
    body: { multiDeviceCommand: MULTI_DEVICE_COMMAND },
    example: { name: 'open', payload: { percent: 40 }, deviceTags: [{ key: 'site', value: 'north' }] },
    returns: { 200: Success, 202: JobEnqueuedResult },
    missing: 'application',
  })
  sendToMany(
    @CurrentApplication() application: ApplicationAccess,
    @Body() command: SelectingCommand,
    @By() by: Author,
  ): Promise<Success | Reply<JobEnqueuedResult>> {
    return this.commands.sendToMany(application, command, by);
  }

  @Post(':deviceId/command')
  @Operation('device.sendCommand', {
    summary: 'Sends a command to a device',
    description: `Stores the command in the device's history. ${COMMAND_NOTE}`,
    scopes: DEVICE_WRITE,
    role: 'collaborate',
    body: { deviceCommand: DEVICE_COMMAND },
    example: { name: 'open', payload: { percent: 40 } },
    returns: { 200: Success },
    missing: 'device',
  })
  send(
    @CurrentApplication() application: ApplicationAccess,
    @Param('deviceId') deviceId: string,
    @Body() command: SentCommand,
    @By() by: Author,
  ): Promise<Success> {
    return this.commands.send(application, deviceId, command, by);
  }

  @Get(':deviceId/command')
  @Operation('device.getCommand', {
    summary: 'Lists the commands sent to a device',
    description: 'Sorted by time. Returns only the newest command unless `limit` is set.',
    scopes: DEVICES_READ,
    role: 'view',
    returns: { 200: DEVICE_COMMANDS_SENT },
    missing: 'device',
  })
  history(
    @CurrentApplication() application: ApplicationAccess,
    @Param('deviceId') deviceId: string,
    @Query() query: HistoryQuery,
  ): Promise<object[]> {
    return this.commands.history(application, deviceId, query);
  }
}
