import { Controller, Get, Param, Query } from '@nestjs/common';
import { INSTANCE_READ } from '../../../platform/access/scopes.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredPage } from '../../../platform/responses/answers.js';
import { InstanceSandboxes, type InstanceSandbox } from './instance-sandbox.resource.js';
import { InstanceSandboxesService } from './instance-sandboxes.service.js';
import { InstanceSandboxesQuery } from './instance-sandboxes.query.js';

@Controller('instances/:instanceId/sandboxes')
export class InstanceSandboxesController {
  constructor(private readonly sandboxes: InstanceSandboxesService) {}

  @Get()
  @Operation('instanceSandboxes.get', {
    summary: 'Returns the users of an instance',
    description:
      'With what their sandboxes hold. The first page names no user; the next one names the last id of the page before as `startingAfterId`, as long as `hasMore` is true. Absent values sort before all others. Needs the role `view` in the instance.',
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
