import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { DEVICES_READ, DEVICE_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { HistoryQuery } from '../../../platform/lists/history-query.js';
import { Operation } from '../../../platform/operations/operation.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { CONNECTION_STATUS, DEVICE_LOG, type ConnectionStatus } from './device-connection.schemas.js';
import { DeviceConnectionsService } from './device-connections.service.js';

@Controller('applications/:applicationId/devices/:deviceId')
export class DeviceConnectionsController {
  constructor(private readonly connections: DeviceConnectionsService) {}

  @Post('setConnectionStatus')
  @Operation('device.setConnectionStatus', {
    summary: 'Says whether a device is connected',
    description:
      'For devices that the platform does not see connect. Workflows that listen to that run. What is said late has its place in the log, and leaves the status as it is where something newer was said. A time more than 30 days ago or a day ahead is now. Needs the role `collaborate` on the application.',
    scopes: DEVICE_WRITE,
    role: 'collaborate',
    body: { connectionStatus: CONNECTION_STATUS },
    example: { status: 'connected' },
    returns: { 200: Success },
    missing: 'device',
  })
  record(
    @CurrentApplication() application: ApplicationAccess,
    @Param('deviceId') deviceId: string,
    @Body() status: ConnectionStatus,
    @By() by: Author,
  ): Promise<Success> {
    return this.connections.record(application, deviceId, status, by);
  }

  @Get('logs')
  @Operation('device.getLogEntries', {
    summary: 'Returns when a device connected and when its connections ended',
    description:
      'By their times, the newest alone unless you ask for more. Entries are kept for as long as the data of the owner. Needs the role `view` on the application.',
    scopes: DEVICES_READ,
    role: 'view',
    returns: { 200: DEVICE_LOG },
    missing: 'device',
  })
  log(
    @CurrentApplication() application: ApplicationAccess,
    @Param('deviceId') deviceId: string,
    @Query() query: HistoryQuery,
  ): Promise<object[]> {
    return this.connections.log(application, deviceId, query);
  }
}
