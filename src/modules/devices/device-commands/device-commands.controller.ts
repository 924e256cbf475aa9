import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { DEVICES_READ, DEVICE_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { HistoryQuery } from '../../../platform/lists/history-query.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Reply } from '../../../platform/responses/answers.js';
import { JobEnqueuedResult, Success } from '../../../platform/fields/shared.schemas.js';
import { SELECTION_TOLD } from '../devices/device-selection.js';
import {
  DEVICE_COMMAND,
  DEVICE_COMMANDS_SENT,
  MULTI_DEVICE_COMMAND,
  type SelectingCommand,
  type SentCommand,
} from './device-command.schemas.js';
import { DeviceCommandsService } from './device-commands.service.js';

const TOLD =
  'It is kept for as long as the data of the owner, and told to who follows the commands of the device. A time more than 30 days ago or a day ahead is now.';

@Controller('applications/:applicationId/devices')
export class DeviceCommandsController {
  constructor(private readonly commands: DeviceCommandsService) {}

  @Post('command')
  @Operation('devices.sendCommand', {
    summary: 'Sends a command to several devices',
    description: `${SELECTION_TOLD} To more than 1,000 devices it is sent by a job. ${TOLD} Needs the role \`collaborate\` on the application.`,
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
    description: `${TOLD} Needs the role \`collaborate\` on the application.`,
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
    summary: 'Returns the commands that a device got',
    description:
      'By their times, the newest alone unless you ask for more. Needs the role `view` on the application.',
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
