import { Controller, Get, Param, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import { DeviceUsageService } from './device-usage.service.js';
import { usageOperations } from './usage.operations.js';
import { DevicePayloadsBreakdownQuery, RecentUsageQuery } from './usage.query.js';
import { DEVICE_PAYLOAD_COUNTS } from './usage.schemas.js';
import type { Steps } from './usage.service.js';

const USAGE = usageOperations({
  of: 'a device',
  includes: 'Counts cover only this device.',
  scopes: APPLICATION_CHILDREN_READ,
  role: 'view',
  missing: 'device',
});

@Controller('applications/:applicationId/devices/:deviceId')
export class DeviceUsageController {
  constructor(private readonly usage: DeviceUsageService) {}

  @Get('payloadCounts')
  @Operation('device.payloadCounts', { ...USAGE.payloadCounts, returns: { 200: DEVICE_PAYLOAD_COUNTS } })
  payloadCounts(
    @CurrentApplication() application: ApplicationAccess,
    @Param('deviceId') id: string,
    @Query() query: RecentUsageQuery,
  ): Promise<object> {
    return this.usage.payloadCounts(application, id, query);
  }

  @Get('payloadCountsBreakdown')
  @Operation('device.payloadCountsBreakdown', USAGE.payloadCountsBreakdown)
  payloadCountsBreakdown(
    @CurrentApplication() application: ApplicationAccess,
    @Param('deviceId') id: string,
    @Query() query: DevicePayloadsBreakdownQuery,
  ): Promise<Steps> {
    return this.usage.payloadCountsBreakdown(application, id, query);
  }
}
