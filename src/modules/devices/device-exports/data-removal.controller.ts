import { Body, Controller, Delete, Param, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import { JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import { DATA_REMOVAL_CALLBACK, DevicesRemoveDataPost } from './data-export.schemas.js';
import { DataRemovalService } from './data-removal.service.js';
import { SpanQuery } from './device-exports.query.js';

@Controller('applications/:applicationId/devices/:deviceId/data')
export class DeviceDataController {
  constructor(private readonly removal: DataRemovalService) {}

  @Delete()
  @Operation('device.removeData', {
    summary: 'Deletes data of a device',
    description:
      'Deletes the values of all attributes within the time range, and the commands and connection log entries of that time. A job deletes the data. Last values and time series then reflect the remaining data.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    returns: { 202: JobEnqueuedResult },
    missing: 'device',
  })
  remove(
    @CurrentApplication() application: ApplicationAccess,
    @Param('deviceId') deviceId: string,
    @Query() query: SpanQuery,
    @By() by: Author,
  ): Promise<JobEnqueuedResult> {
    return this.removal.removeOfDevice(application, deviceId, query, by);
  }
}

@Controller('applications/:applicationId/devices/removeData')
export class DevicesDataController {
  constructor(private readonly removal: DataRemovalService) {}

  @Post()
  @Operation('devices.removeData', {
    summary: 'Deletes data of devices',
    description:
      'Deletes the values of the attributes within the time range for all devices that match `query`. Commands and connection log entries of that time are also deleted, unless they are kept. A job deletes the data; last values and time series then reflect the remaining data. When the job ends, an email is sent to `email`, and a `POST` request to `callbackUrl` as for exports; its `data` contains `devices`, the number of devices. If neither is set, the email is sent to the calling user.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { devicesRemoveDataPost: DevicesRemoveDataPost },
    example: { query: { deviceClass: 'standalone' }, end: -86_400_000 },
    returns: { 202: JobEnqueuedResult },
    callback: DATA_REMOVAL_CALLBACK,
    missing: 'application',
  })
  remove(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: DevicesRemoveDataPost,
    @By() by: Author,
  ): Promise<JobEnqueuedResult> {
    return this.removal.removeOfDevices(application, body, by);
  }
}
