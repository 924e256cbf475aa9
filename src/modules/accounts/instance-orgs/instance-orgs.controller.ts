import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import type { Principal } from '../../../platform/access/principal.js';
import { Caller } from '../../../platform/access/request.js';
import { INSTANCE_READ, INSTANCE_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { SummaryQuery } from '../../../platform/lists/query-fields.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { Org } from '../orgs/org.resource.js';
import { InstanceOrgPost, InstanceOrgs, type InstanceOrg } from './instance-org.resource.js';
import { InstanceOrgsService } from './instance-orgs.service.js';
import { InstanceOrgsQuery } from './instance-orgs.query.js';

@Controller('instances/:instanceId/orgs')
export class InstanceOrgsController {
  constructor(private readonly orgs: InstanceOrgsService) {}

  @Get()
  @Operation('instanceOrgs.get', {
    summary: 'Lists the organizations of an instance',
    description:
      'Returns all organizations of the instance, including those of which you are not a member. In an advanced query, `memberId` matches the user ID of a member, and `disabledAt` is `null` for organizations that are not disabled.',
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
      'Members given by user ID must have an account in the instance and are added immediately. Members given by email address receive an invitation. An organization always has an admin: if none of the given users is an admin, you become one. An API token of an instance must therefore name an admin. Without `limits`, the default limits of the instance for new organizations apply.',
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
  ): Promise<StoredResource<Org>> {
    return this.orgs.create(instanceId, body, query, by);
  }
}
