import { Body, Controller, Post } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { DEVICES_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Written } from '../../../platform/responses/answers.js';
import {
  LAST_VALUE_DATA,
  LAST_VALUE_QUERY,
  TIME_SERIES_DATA,
  TIME_SERIES_QUERY,
} from './device-data.schemas.js';
import { DataService, type LastValueQuery } from './data.service.js';
import type { TimeSeriesQuery } from './series-query.js';

@Controller('applications/:applicationId/data')
export class DataController {
  constructor(private readonly data: DataService) {}

  @Post('time-series-query')
  @Operation('data.timeSeriesQuery', {
    summary: 'Returns time series of devices',
    description:
      'The values that devices reported in a time, or what they become in steps of it; steps without a value are left out. A device has one point for each step, with the values of its attributes by name. Where an attribute changed its data type, what it reported before is not found. At most 1,000 devices, 10,000 series (attributes of devices), 10,080 steps, and 500,000 values or 16 MiB of them; beyond that, or where it takes longer than 2.5 seconds, it is 400 and the message says what to narrow. Needs the role `view` on the application.',
    scopes: DEVICES_READ,
    role: 'view',
    body: { query: TIME_SERIES_QUERY },
    example: {
      deviceIds: ['575ecf887ae143cd83dc4aa2'],
      duration: 86_400_000,
      resolution: 3_600_000,
      aggregation: 'MEAN',
    },
    returns: { 200: TIME_SERIES_DATA },
    missing: 'application',
  })
  timeSeries(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: TimeSeriesQuery,
  ): Promise<Written> {
    return this.data.timeSeries(application, body);
  }

  @Post('last-value-query')
  @Operation('data.lastValueQuery', {
    summary: 'Returns the last values of devices',
    description:
      'Of one attribute, or of all, the last value that each device reported up to `end`; devices without one are left out. At most 1,000 devices. Needs the role `view` on the application.',
    scopes: DEVICES_READ,
    role: 'view',
    body: { query: LAST_VALUE_QUERY },
    example: { deviceIds: ['575ecf887ae143cd83dc4aa2'], attribute: 'pressure' },
    returns: { 200: LAST_VALUE_DATA },
    missing: 'application',
  })
  lastValues(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: LastValueQuery,
  ): Promise<Written> {
    return this.data.lastValues(application, body);
  }
}
