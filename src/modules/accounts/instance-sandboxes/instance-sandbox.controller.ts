import { Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { INSTANCE_READ, INSTANCE_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { SummaryQuery } from '../../../platform/lists/query-fields.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { InstanceSandbox } from './instance-sandbox.resource.js';
import { InstanceSandboxesService } from './instance-sandboxes.service.js';

@Controller('instances/:instanceId/sandboxes/:instanceSandboxId')
export class InstanceSandboxController {
  constructor(private readonly sandboxes: InstanceSandboxesService) {}

  @Get()
  @Operation('instanceSandbox.get', {
    summary: 'Returns a user of an instance',
    description:
      'Returns the user with counts of their resources. Deleted users are returned until their data is removed.',
    scopes: INSTANCE_READ,
    role: 'view',
    returns: { 200: InstanceSandbox },
    missing: 'sandbox',
  })
  get(
    @Param('instanceId') instanceId: string,
    @Param('instanceSandboxId') id: string,
    @Query() query: SummaryQuery,
  ): Promise<StoredResource<InstanceSandbox>> {
    return this.sandboxes.get(instanceId, id, query);
  }

  @Delete()
  @Operation('instanceSandbox.delete', {
    summary: 'Deletes a user of an instance',
    description:
      'Immediately blocks the user from signing in. Their tokens and those of the applications in their sandbox are rejected, and their email address becomes available. Their data is permanently removed after 30 days; until then, `undelete` restores everything. You cannot delete yourself or the last admin of an organization or instance.',
    scopes: INSTANCE_WRITE,
    role: 'admin',
    returns: { 200: Success },
    missing: 'sandbox',
  })
  delete(
    @Param('instanceId') instanceId: string,
    @Param('instanceSandboxId') id: string,
    @By() by: Author,
  ): Promise<Success> {
    return this.sandboxes.delete(instanceId, id, by);
  }

  @Patch('undelete')
  @Operation('instanceSandbox.undelete', {
    summary: 'Restores a deleted user',
    description:
      'Restores the user with their sandbox, memberships and tokens. Returns `400` if the user is not deleted or if the 30 days have passed. Also returns `400` if another user now has their email address or is linked to their identity at the code-hosting provider.',
    scopes: INSTANCE_WRITE,
    role: 'admin',
    returns: { 200: InstanceSandbox },
    missing: 'sandbox',
  })
  undelete(
    @Param('instanceId') instanceId: string,
    @Param('instanceSandboxId') id: string,
    @Query() query: SummaryQuery,
    @By() by: Author,
  ): Promise<StoredResource<InstanceSandbox>> {
    return this.sandboxes.undelete(instanceId, id, query, by);
  }
}
