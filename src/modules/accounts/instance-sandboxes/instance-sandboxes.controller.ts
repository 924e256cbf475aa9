import { Controller, Get, Param, Query } from '@nestjs/common';
import { INSTANCE_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredPage } from '../../../platform/responses/stored-resources.js';
import { InstanceSandboxes, type InstanceSandbox } from './instance-sandbox.resource.js';
import { InstanceSandboxesService } from './instance-sandboxes.service.js';
import { InstanceSandboxesQuery } from './instance-sandboxes.query.js';

@Controller('instances/:instanceId/sandboxes')
export class InstanceSandboxesController {
  constructor(private readonly sandboxes: InstanceSandboxesService) {}

  @Get()
  @Operation('instanceSandboxes.get', {
    summary: 'Lists the users of an instance',
    description:
      'Returns users with counts of their resources. To get the next page while `hasMore` is true, pass the ID of the last user as `startingAfterId`. Absent values sort before all others.',
    scopes: INSTANCE_READ,
    role: 'view',
    returns: { 200: InstanceSandboxes },
    missing: 'instance',
  })
  list(
    @Param('instanceId') instanceId: string,
    @Query() query: InstanceSandboxesQuery,
  ): Promise<StoredPage<InstanceSandbox>> {
    return this.sandboxes.list(instanceId, query);
  }
}
