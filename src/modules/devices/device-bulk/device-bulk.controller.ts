import { Body, Controller, Patch, Post } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Reply } from '../../../platform/responses/answers.js';
import { BulkDeleteResponse, JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import { DeviceBulkOperations } from './device-bulk.operations.js';
import {
  BulkRestoreResponse,
  DevicesDeleteOrRestorePost,
  DevicesPatch,
  DevicesUpdated,
} from './device-bulk.resource.js';

const JOB =
  'With more than 100 devices it is a job (202), whose end `email` or `callbackUrl` is told of. Each device is changed by itself, and has an entry in the log. Needs the role `collaborate` on the application.';

/** Operations on many devices. */
@Controller('applications/:applicationId/devices')
export class DeviceBulkController {
  constructor(private readonly operations: DeviceBulkOperations) {}

  @Patch()
  @Operation('devices.patch', {
    summary: 'Changes many devices',
    description: `The devices are those of \`deviceIds\` and those that \`query\` finds, together. What holds for a change of one device holds for each; steps are made after \`updateFields\`, in their order. \`set tag\` takes the place of tags with the same key. ${JOB}`,
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { devicesPatch: DevicesPatch },
    example: { query: { deviceClass: 'standalone' }, updateFields: { keepDuplicates: true } },
    returns: { 200: DevicesUpdated, 202: JobEnqueuedResult },
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
    summary: 'Deletes many devices',
    description: `They can be restored as long as they are listed as deleted. ${JOB}`,
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { devicesDelete: DevicesDeleteOrRestorePost },
    example: { query: { name: 'Pump 3' } },
    returns: { 200: BulkDeleteResponse, 202: JobEnqueuedResult },
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
    summary: 'Restores many deleted devices',
    description: `The limit \`device\` of the owner applies. ${JOB}`,
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { devicesRestore: DevicesDeleteOrRestorePost },
    example: { query: { name: 'Pump 3' } },
    returns: { 200: BulkRestoreResponse, 202: JobEnqueuedResult },
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
