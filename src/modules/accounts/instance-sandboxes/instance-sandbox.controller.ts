import { Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { INSTANCE_READ, INSTANCE_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { SummaryQuery } from '../../../platform/lists/query-fields.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored } from '../../../platform/responses/answers.js';
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
      'With what their sandbox holds; also a deleted user, until the data is removed. Needs the role `view` in the instance.',
    scopes: INSTANCE_READ,
    role: 'view',
    returns: { 200: InstanceSandbox },
    missing: 'sandbox',
  })
  get(
    @Param('instanceId') instanceId: string,
    @Param('instanceSandboxId') id: string,
    @Query() query: SummaryQuery,
  ): Promise<Stored<InstanceSandbox>> {
    return this.sandboxes.get(instanceId, id, query);
  }

  @Delete()
  @Operation('instanceSandbox.delete', {
    summary: 'Deletes a user of an instance',
    description:
      'At once they cannot sign in, the tokens of theirs and of the applications in their sandbox are void, they are listed nowhere and their e-mail address is free. What they have is removed for good after 30 days; until then `undelete` brings everything back. The last admin of an organization or instance cannot be deleted, nor can you delete yourself. Needs the role `admin` in the instance.',
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
    summary: 'Takes the deletion of a user back',
    description:
      'They are there again with their sandbox, their memberships and their tokens. 400 when they are not deleted, when the 30 days are over, or when another user has their e-mail address or their identity at the code-hosting provider by now. Needs the role `admin` in the instance.',
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
  ): Promise<Stored<InstanceSandbox>> {
    return this.sandboxes.undelete(instanceId, id, query, by);
  }
}
