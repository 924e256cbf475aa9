import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { INSTANCE_READ, INSTANCE_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { SummaryQuery } from '../../../platform/lists/query-fields.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { OrgsService } from '../orgs/orgs.service.js';
import { InstanceOrg, InstanceOrgPatch, type OrgOfInstance } from './instance-org.resource.js';
import { InstanceOrgsService } from './instance-orgs.service.js';

@Controller('instances/:instanceId/orgs/:orgId')
export class InstanceOrgController {
  constructor(
    private readonly instanceOrgs: InstanceOrgsService,
    private readonly orgs: OrgsService,
  ) {}

  @Get()
  @Operation('instanceOrg.get', {
    summary: 'Returns an organization of an instance',
    description:
      'Returns the organization with properties that only members of the instance can see, such as tags.',
    scopes: INSTANCE_READ,
    role: 'view',
    returns: { 200: InstanceOrg },
    missing: 'organization',
  })
  get(@Param() org: OrgOfInstance, @Query() query: SummaryQuery): Promise<StoredResource<InstanceOrg>> {
    return this.instanceOrgs.get(org, query);
  }

  @Patch()
  @Operation('instanceOrg.patch', {
    summary: 'Updates an organization of an instance',
    description:
      'Omitted properties keep their value. Arrays and objects are replaced, not merged. An empty `banner` removes the banner. In a read-only or disabled organization, members and the tokens of its applications can only read. Takes effect immediately.',
    scopes: INSTANCE_WRITE,
    role: 'admin',
    body: { organization: InstanceOrgPatch },
    example: { isReadOnly: true, banner: { message: 'Please get in touch', level: 'warning' } },
    returns: { 200: InstanceOrg },
    missing: 'organization',
  })
  patch(
    @Param() org: OrgOfInstance,
    @Body() body: InstanceOrgPatch,
    @Query() query: SummaryQuery,
    @By() by: Author,
  ): Promise<StoredResource<InstanceOrg>> {
    return this.instanceOrgs.patch(org, body, query, by);
  }

  @Delete()
  @Operation('instanceOrg.delete', {
    summary: 'Deletes an organization of an instance',
    description:
      'Permanently deletes the organization and its applications. Takes effect immediately. The accounts of its members are kept.',
    scopes: INSTANCE_WRITE,
    role: 'admin',
    returns: { 200: Success },
    missing: 'organization',
  })
  delete(@Param('orgId') id: string, @By() by: Author): Promise<Success> {
    return this.orgs.delete(id, by);
  }
}
