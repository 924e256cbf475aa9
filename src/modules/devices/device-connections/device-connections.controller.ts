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
    summary: 'Sets the connection status of a device',
    description:
      'For devices whose connections the platform cannot observe. Runs the workflows that are triggered by the connection or disconnection. A late report is added to the log, but does not change the status if a newer one exists. A time more than 30 days in the past or one day in the future is replaced with the current time.',
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
    summary: 'Lists connections and disconnections of a device',
    description:
      'Sorted by time. Returns only the newest entry unless `limit` is set. Entries are kept for the data retention period of the owner.',
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
