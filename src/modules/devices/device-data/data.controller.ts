import { Body, Controller, Post } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { DEVICES_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { SerializedResponse } from '../../../platform/responses/stored-resources.js';
import {
  LAST_VALUE_DATA,
  LAST_VALUE_QUERY,
  TIME_SERIES_DATA,
  TIME_SERIES_QUERY,
} from './device-data.schemas.js';
import { DataService, type LastValueQuery } from './data.service.js';
import type { TimeSeriesQuery } from './series-query.js';
import { ID_EXAMPLE } from '../../../platform/fields/fields.js';

@Controller('applications/:applicationId/data')
export class DataController {
  constructor(private readonly data: DataService) {}

  @Post('time-series-query')
  @Operation('data.timeSeriesQuery', {
    summary: 'Returns time series of devices',
    description:
      'Returns the values that devices reported within a time range, either as points or aggregated in steps. Steps without a value are omitted. Each point of a device contains the values of its attributes by name, with one point per step. Values reported before an attribute changed its data type are not included. A query can cover at most 1,000 devices, 10,000 series (attributes of devices), 10,080 steps, and 500,000 values or 16 MiB. Returns `400` if a limit is exceeded or the query takes longer than 2.5 seconds; the message names the parameter to narrow.',
    scopes: DEVICES_READ,
    role: 'view',
    body: { query: TIME_SERIES_QUERY },
    example: {
      deviceIds: [ID_EXAMPLE],
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
  ): Promise<SerializedResponse> {
    return this.data.timeSeries(application, body);
  }

  @Post('last-value-query')
  @Operation('data.lastValueQuery', {
    summary: 'Returns the last values of devices',
    description:
      'Returns the last value of one attribute, or of all attributes, that each device reported up to `end`. Devices without a value are omitted. At most 1,000 devices can be selected.',
    scopes: DEVICES_READ,
    role: 'view',
    body: { query: LAST_VALUE_QUERY },
    example: { deviceIds: [ID_EXAMPLE], attribute: 'pressure' },
    returns: { 200: LAST_VALUE_DATA },
    missing: 'application',
  })
  lastValues(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: LastValueQuery,
  ): Promise<SerializedResponse> {
    return this.data.lastValues(application, body);
  }
}
