import { Controller, Get, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { DEVICES_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredPage } from '../../../platform/responses/stored-resources.js';
import { CompositeDevicesState, type CompositeDevice } from './composite-devices.js';
import { DataService } from './data.service.js';
import { CompositeStatesQuery } from './device-data.query.js';

@Controller('applications/:applicationId/devices')
export class DevicesDataController {
  constructor(private readonly data: DataService) {}

  @Get('compositeState')
  @Operation('devices.getCompositeState', {
    summary: 'Returns the newest values of devices',
    description:
      'Returns a page of devices with the newest value of each attribute, and its time, between `start` and `end` (both inclusive). Attributes without a value in this range are omitted. Returns `400` if the values of the page exceed 16 MiB.',
    scopes: DEVICES_READ,
    role: 'view',
    returns: { 200: CompositeDevicesState },
    missing: 'application',
  })
  compositeStates(
    @CurrentApplication() application: ApplicationAccess,
    @Query() query: CompositeStatesQuery,
  ): Promise<StoredPage<CompositeDevice>> {
    return this.data.compositeStates(application, query);
  }
}
