import { Controller, Get, Param, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { DEVICES_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { SerializedResponse } from '../../../platform/responses/stored-resources.js';
import { CompositeStateQuery, DeviceStatesQuery } from './device-data.query.js';
import { COMPOSITE_DEVICE_STATE, DEVICE_STATES } from './device-data.schemas.js';
import { DeviceDataService } from './device-data.service.js';

@Controller('applications/:applicationId/devices/:deviceId')
export class DeviceDataController {
  constructor(private readonly data: DeviceDataService) {}

  @Get('state')
  @Operation('device.getState', {
    summary: 'Lists the state reports of a device',
    description:
      'Returns the reports of the device, newest first unless `sortDirection` is `asc`. Values with the same millisecond form one report, even if they were sent in several requests. Without `start` and `since`, all stored reports are considered; if both are set, the later one applies. Devices may send reports up to one day ahead; such reports are omitted until their time, unless `end` includes them.',
    scopes: DEVICES_READ,
    role: 'view',
    returns: { 200: DEVICE_STATES },
    missing: 'device',
  })
  states(
    @CurrentApplication() application: ApplicationAccess,
    @Param('deviceId') deviceId: string,
    @Query() query: DeviceStatesQuery,
  ): Promise<SerializedResponse> {
    return this.data.states(application, deviceId, query);
  }

  @Get('compositeState')
  @Operation('device.getCompositeState', {
    summary: 'Returns the newest values of a device',
    description:
      'Returns the newest value of each attribute, with its time, between `start` and `end` (both inclusive). Attributes without a value in this range are omitted.',
    scopes: DEVICES_READ,
    role: 'view',
    returns: { 200: COMPOSITE_DEVICE_STATE },
    missing: 'device',
  })
  compositeState(
    @CurrentApplication() application: ApplicationAccess,
    @Param('deviceId') deviceId: string,
    @Query() query: CompositeStateQuery,
  ): Promise<SerializedResponse> {
    return this.data.compositeState(application, deviceId, query);
  }
}
