import { Body, Controller, Patch, Post } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Reply } from '../../../platform/responses/stored-resources.js';
import { BulkDeleteResponse, JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import { DeviceBulkOperations } from './device-bulk.operations.js';
import {
  BulkRestoreResponse,
  DevicesDeleteOrRestorePost,
  DevicesPatch,
  DevicesUpdated,
  DEVICE_BULK_CALLBACK,
} from './device-bulk.resource.js';

const JOB =
  'More than 100 devices are processed by a job: the response is `202`, and `email` and `callbackUrl` are notified when the job finishes. Each device is processed separately and has its own entry in the audit log.';

/** Bulk operations on devices. */
@Controller('applications/:applicationId/devices')
export class DeviceBulkController {
  constructor(private readonly operations: DeviceBulkOperations) {}

  @Patch()
  @Operation('devices.patch', {
    summary: 'Updates multiple devices',
    description: `Updates the devices listed in \`deviceIds\` and the devices that match \`query\`. The rules for updating a single device apply to each of them. The steps of \`updateOperations\` are applied in order, after \`updateFields\`. \`set tag\` replaces all tags with the same key. ${JOB}`,
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { devicesPatch: DevicesPatch },
    example: { query: { deviceClass: 'standalone' }, updateFields: { keepDuplicates: true } },
    returns: { 200: DevicesUpdated, 202: JobEnqueuedResult },
    callback: DEVICE_BULK_CALLBACK,
    missing: 'application',
  })
  patch(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: DevicesPatch,
    @By() by: Author,
  ): Promise<DevicesUpdated | Reply<JobEnqueuedResult>> {
    return this.operations.patch(application, body, by);
  }

  @Post('delete')
  @Operation('devices.delete', {
    summary: 'Deletes multiple devices',
    description: `Deletes the devices that match the query. Deleted devices can be restored while they are listed as deleted. ${JOB}`,
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { devicesDelete: DevicesDeleteOrRestorePost },
    example: { query: { name: 'Pump 3' } },
    returns: { 200: BulkDeleteResponse, 202: JobEnqueuedResult },
    callback: DEVICE_BULK_CALLBACK,
    missing: 'application',
  })
  delete(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: DevicesDeleteOrRestorePost,
    @By() by: Author,
  ): Promise<BulkDeleteResponse | Reply<JobEnqueuedResult>> {
    return this.operations.delete(application, body, by);
  }

  @Post('restore')
  @Operation('devices.restore', {
    summary: 'Restores multiple deleted devices',
    description: `Restores deleted devices that match the query. Devices that would exceed the owner's \`device\` limit are not restored and count as \`failed\`. ${JOB}`,
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { devicesRestore: DevicesDeleteOrRestorePost },
    example: { query: { name: 'Pump 3' } },
    returns: { 200: BulkRestoreResponse, 202: JobEnqueuedResult },
    callback: DEVICE_BULK_CALLBACK,
    missing: 'application',
  })
  restore(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: DevicesDeleteOrRestorePost,
    @By() by: Author,
  ): Promise<BulkRestoreResponse | Reply<JobEnqueuedResult>> {
    return this.operations.restore(application, body, by);
  }
}
