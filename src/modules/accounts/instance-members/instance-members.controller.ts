import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { INSTANCE_MANAGE, INSTANCE_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import {
  INSTANCE_MEMBER_POST,
  InstanceMembers,
  InstanceMemberView,
  type InstanceMemberPost,
} from './instance-member.resource.js';
import { InstanceMembersService } from './instance-members.service.js';
import { InstanceMembersQuery } from './instance-members.query.js';

@Controller('instances/:instanceId/members')
export class InstanceMembersController {
  constructor(private readonly members: InstanceMembersService) {}

  @Get()
  @Operation('instanceMembers.get', {
    summary: 'Lists the members of an instance',
    description: 'Returns all members in one response; this list is not paged.',
    scopes: INSTANCE_READ,
    role: 'view',
    returns: { 200: InstanceMembers },
    missing: 'instance',
  })
  list(
    @Param('instanceId') instanceId: string,
    @Query() { list }: InstanceMembersQuery,
  ): Promise<StoredPage<InstanceMemberView>> {
    return this.members.list(instanceId, list);
  }

  @Post()
  @Operation('instanceMembers.post', {
    summary: 'Adds a member to an instance',
    description:
      'Adds an existing user, identified by `userId` or `email`, without an invitation. Takes effect immediately. Returns `400` if the instance already has 1000 members or the user is a member of 1000 instances.',
    scopes: INSTANCE_MANAGE,
    role: 'admin',
    body: { instanceMember: INSTANCE_MEMBER_POST },
    example: { email: 'ada@example.com', role: 'view' },
    returns: { 200: InstanceMemberView },
    missing: 'instance',
  })
  add(
    @Param('instanceId') instanceId: string,
    @Body() body: InstanceMemberPost,
    @By() by: Author,
  ): Promise<StoredResource<InstanceMemberView>> {
    return this.members.add(instanceId, body, by);
  }
}
