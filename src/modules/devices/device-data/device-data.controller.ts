import { Controller, Get, Param, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { DEVICES_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Written } from '../../../platform/responses/answers.js';
import { CompositeStateQuery, DeviceStatesQuery } from './device-data.query.js';
import { COMPOSITE_DEVICE_STATE, DEVICE_STATES } from './device-data.schemas.js';
import { DeviceDataService } from './device-data.service.js';

@Controller('applications/:applicationId/devices/:deviceId')
export class DeviceDataController {
  constructor(private readonly data: DeviceDataService) {}

  @Get('state')
  @Operation('device.getState', {
    summary: 'Returns reports of a device',
    description:
      'What the device reported of its attributes, newest first unless `sortDirection` says otherwise. What was reported of one millisecond is one report, however many requests it came in. Absent, `start` and `since` let in all that is kept; where both are given, the later one counts. Reports of a time to come, which devices may send a day ahead, are left out until then or asked for by `end`. Needs the role `view` on the application.',
    scopes: DEVICES_READ,
    role: 'view',
    returns: { 200: DEVICE_STATES },
    missing: 'device',
  })
  states(
    @CurrentApplication() application: ApplicationAccess,
    @Param('deviceId') deviceId: string,
    @Query() query: DeviceStatesQuery,
  ): Promise<Written> {
    return this.data.states(application, deviceId, query);
  }

  @Get('compositeState')
  @Operation('device.getCompositeState', {
    summary: 'Returns the newest values of a device',
    description:
      'Of each attribute the newest value from `start` to `end`, both included, with its own time. An attribute without a value in that time is left out. Needs the role `view` on the application.',
    scopes: DEVICES_READ,
    role: 'view',
    returns: { 200: COMPOSITE_DEVICE_STATE },
    missing: 'device',
  })
  compositeState(
    @CurrentApplication() application: ApplicationAccess,
    @Param('deviceId') deviceId: string,
    @Query() query: CompositeStateQuery,
  ): Promise<Written> {
    return this.data.compositeState(application, deviceId, query);
  }
}
