import { Controller, Get, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { DEVICES_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredPage } from '../../../platform/responses/answers.js';
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
      'A page of devices, and of each attribute of theirs the newest value from `start` to `end`, both included, with its own time. An attribute without a value in that time is left out. More than 16 MiB of values on a page are 400. Needs the role `view` on the application.',
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
