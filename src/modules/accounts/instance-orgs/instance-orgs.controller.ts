import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import type { Principal } from '../../../platform/access/principal.js';
import { Caller } from '../../../platform/access/request.js';
import { INSTANCE_READ, INSTANCE_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { SummaryQuery } from '../../../platform/lists/query-fields.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored, StoredPage } from '../../../platform/responses/answers.js';
import { Org } from '../orgs/org.resource.js';
import { InstanceOrgPost, InstanceOrgs, type InstanceOrg } from './instance-org.resource.js';
import { InstanceOrgsService } from './instance-orgs.service.js';
import { InstanceOrgsQuery } from './instance-orgs.query.js';

@Controller('instances/:instanceId/orgs')
export class InstanceOrgsController {
  constructor(private readonly orgs: InstanceOrgsService) {}

  @Get()
  @Operation('instanceOrgs.get', {
    summary: 'Returns the organizations of an instance',
    description:
      'All of them, whether you are a member or not. In an advanced query `memberId` is a user who is a member, and `disabledAt` is `null` where an organization is not disabled. Needs the role `view` in the instance.',
    scopes: INSTANCE_READ,
    role: 'view',
    returns: { 200: InstanceOrgs },
    missing: 'instance',
  })
  list(
    @Param('instanceId') instanceId: string,
    @Query() query: InstanceOrgsQuery,
    @Caller() caller: Principal,
  ): Promise<StoredPage<InstanceOrg>> {
    return this.orgs.list(instanceId, query, caller);
  }

  @Post()
  @Operation('instanceOrgs.post', {
    summary: 'Creates an organization in an instance',
    description:
      'Members that are given by their user id, who must have an account in the instance, are members at once; those that are given by e-mail address are sent an invitation. An organization always has an admin: unless one of the users is, you become it, and an API token of an instance must name one. Without `limits` it has those that the instance gives to new organizations. Needs the role `admin` in the instance.',
    scopes: INSTANCE_WRITE,
    role: 'admin',
    body: { organization: InstanceOrgPost },
    example: { name: 'North Field', tags: [{ key: 'region', value: 'north' }] },
    returns: { 200: Org },
    missing: 'instance',
  })
  create(
    @Param('instanceId') instanceId: string,
    @Body() body: InstanceOrgPost,
    @Query() query: SummaryQuery,
    @By() by: Author,
  ): Promise<Stored<Org>> {
    return this.orgs.create(instanceId, body, query, by);
  }
}
