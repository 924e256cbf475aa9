import { Body, Controller, Delete, Get, Param, Patch } from '@nestjs/common';
import { INSTANCE_MANAGE, INSTANCE_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { InstanceMemberPatch, InstanceMemberView } from './instance-member.resource.js';
import { InstanceMembersService } from './instance-members.service.js';

@Controller('instances/:instanceId/members/:userId')
export class InstanceMemberController {
  constructor(private readonly members: InstanceMembersService) {}

  @Get()
  @Operation('instanceMember.get', {
    summary: 'Returns a member of an instance',
    description: "Returns the user's name, email address and role in the instance.",
    scopes: INSTANCE_READ,
    role: 'view',
    returns: { 200: InstanceMemberView },
    missing: 'member',
  })
  get(
    @Param('instanceId') instanceId: string,
    @Param('userId') userId: string,
  ): Promise<StoredResource<InstanceMemberView>> {
    return this.members.get(instanceId, userId);
  }

  @Patch()
  @Operation('instanceMember.patch', {
    summary: 'Updates the role of an instance member',
    description:
      'Takes effect immediately. Admins cannot change their own role, and the role of the last admin cannot be changed.',
    scopes: INSTANCE_MANAGE,
    role: 'admin',
    body: { instanceMember: InstanceMemberPatch },
    example: { role: 'admin' },
    returns: { 200: InstanceMemberPatch },
    missing: 'member',
  })
  patch(
    @Param('instanceId') instanceId: string,
    @Param('userId') userId: string,
    @Body() body: InstanceMemberPatch,
    @By() by: Author,
  ): Promise<InstanceMemberPatch> {
    return this.members.changeRole(instanceId, userId, body, by);
  }

  @Delete()
  @Operation('instanceMember.delete', {
    summary: 'Removes a member from an instance',
    description:
      'The user immediately loses access to the instance. Their account and their memberships of organizations are kept. The last admin cannot be removed.',
    scopes: INSTANCE_MANAGE,
    role: 'admin',
    returns: { 200: Success },
    missing: 'member',
  })
  delete(
    @Param('instanceId') instanceId: string,
    @Param('userId') userId: string,
    @By() by: Author,
  ): Promise<Success> {
    return this.members.remove(instanceId, userId, by);
  }
}
