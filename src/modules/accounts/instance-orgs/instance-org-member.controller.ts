import { Body, Controller, Delete, Get, Param, Patch } from '@nestjs/common';
import { INSTANCE_MANAGE, INSTANCE_MEMBERS_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import {
  INSTANCE_ORG_MEMBER_PATCH,
  InstanceOrgMember,
  type InstanceOrgMemberPatch,
} from './instance-org-member.resource.js';
import { InstanceOrgMembersService } from './instance-org-members.service.js';
import type { OrgOfInstance } from './instance-org.resource.js';

@Controller('instances/:instanceId/orgs/:orgId/members/:userId')
export class InstanceOrgMemberController {
  constructor(private readonly members: InstanceOrgMembersService) {}

  @Get()
  @Operation('instanceOrgMember.get', {
    summary: 'Returns a member of an organization',
    description: 'Returns the member with their role and individual roles on applications and dashboards.',
    scopes: INSTANCE_MEMBERS_READ,
    role: 'view',
    returns: { 200: InstanceOrgMember },
    missing: 'member',
  })
  get(
    @Param() org: OrgOfInstance,
    @Param('userId') userId: string,
  ): Promise<StoredResource<InstanceOrgMember>> {
    return this.members.get(org, userId);
  }

  @Patch()
  @Operation('instanceOrgMember.patch', {
    summary: 'Updates the roles of an organization member',
    description:
      '`role` is required. `applicationRoles` and `dashboardRoles` are replaced, not merged; if absent, they keep their value. The role of the last admin cannot be changed. Takes effect immediately.',
    scopes: INSTANCE_MANAGE,
    role: 'admin',
    body: { member: INSTANCE_ORG_MEMBER_PATCH },
    example: { role: 'view' },
    returns: { 200: InstanceOrgMember },
    missing: 'member',
  })
  patch(
    @Param() org: OrgOfInstance,
    @Param('userId') userId: string,
    @Body() body: InstanceOrgMemberPatch,
    @By() by: Author,
  ): Promise<StoredResource<InstanceOrgMember>> {
    return this.members.change(org, userId, body, by);
  }

  @Delete()
  @Operation('instanceOrgMember.delete', {
    summary: 'Removes a member from an organization',
    description: "The user's account and other memberships are kept. The last admin cannot be removed.",
    scopes: INSTANCE_MANAGE,
    role: 'admin',
    returns: { 200: Success },
    missing: 'member',
  })
  delete(@Param() org: OrgOfInstance, @Param('userId') userId: string, @By() by: Author): Promise<Success> {
    return this.members.remove(org, userId, by);
  }
}
