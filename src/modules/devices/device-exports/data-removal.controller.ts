import { Body, Controller, Delete, Param, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import { JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import { DevicesRemoveDataPost } from './data-export.schemas.js';
import { DataRemovalService } from './data-removal.service.js';
import { SpanQuery } from './device-exports.query.js';

@Controller('applications/:applicationId/devices/:deviceId/data')
export class DeviceDataController {
  constructor(private readonly removal: DataRemovalService) {}

  @Delete()
  @Operation('device.removeData', {
    summary: 'Removes what a device reported',
    description:
      'Removes the values of all attributes in the time, and from it the commands that the device got and the log of its connections. It goes on as a job; last values and series are those of what is left. Needs the role `collaborate` on the application.',
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
    summary: 'Removes what devices reported',
    description:
      'Removes the values of the attributes in the time, of the devices that `query` finds, and from that time their commands and the log of their connections unless these are kept. It goes on as a job; last values and series are those of what is left. When it has ended, `email` gets a mail, and `callbackUrl` a `POST` as exports send it, whose `data` has `devices`, their number. Without both, the user who asks gets the mail. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { devicesRemoveDataPost: DevicesRemoveDataPost },
    example: { query: { deviceClass: 'standalone' }, end: -86_400_000 },
    returns: { 202: JobEnqueuedResult },
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
