import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { INSTANCE_MANAGE, INSTANCE_MEMBERS_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import {
  INSTANCE_ORG_MEMBER_POST,
  InstanceOrgMember,
  InstanceOrgMembers,
  type InstanceOrgMemberPost,
} from './instance-org-member.resource.js';
import { InstanceOrgMembersService } from './instance-org-members.service.js';
import type { OrgOfInstance } from './instance-org.resource.js';
import { InstanceOrgMembersQuery } from './instance-org-members.query.js';

@Controller('instances/:instanceId/orgs/:orgId/members')
export class InstanceOrgMembersController {
  constructor(private readonly members: InstanceOrgMembersService) {}

  @Get()
  @Operation('instanceOrgMembers.get', {
    summary: 'Lists the members of an organization',
    description:
      'Returns all members in one response: at most 10,000, unless the limits of the organization allow more.',
    scopes: INSTANCE_MEMBERS_READ,
    role: 'view',
    returns: { 200: InstanceOrgMembers },
    missing: 'organization',
  })
  list(
    @Param() org: OrgOfInstance,
    @Query() { list }: InstanceOrgMembersQuery,
  ): Promise<StoredPage<InstanceOrgMember>> {
    return this.members.list(org, list);
  }

  @Post()
  @Operation('instanceOrgMembers.post', {
    summary: 'Adds a user to an organization',
    description:
      'Adds the user immediately, without an invitation. The user must have an account in the instance. If identified by email address, the user must have verified it; invite users without an account instead. An open invitation of the user becomes invalid.',
    scopes: INSTANCE_MANAGE,
    role: 'admin',
    body: { member: INSTANCE_ORG_MEMBER_POST },
    example: { email: 'ada@example.com', role: 'edit' },
    returns: { 200: InstanceOrgMember },
    missing: 'user',
  })
  add(
    @Param() org: OrgOfInstance,
    @Body() body: InstanceOrgMemberPost,
    @By() by: Author,
  ): Promise<StoredResource<InstanceOrgMember>> {
    return this.members.add(org, body, by);
  }
}
