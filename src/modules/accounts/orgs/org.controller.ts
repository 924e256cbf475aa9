import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { ORGANIZATION_READ, ORGANIZATION_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { SummaryQuery } from '../../../platform/lists/query-fields.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { Org, OrgPatch } from './org.resource.js';
import { OrgsService } from './orgs.service.js';

@Controller('orgs/:orgId')
export class OrgController {
  constructor(private readonly orgs: OrgsService) {}

  @Get()
  @Operation('org.get', {
    summary: 'Returns an organization',
    description: 'Returns the organization with all of its members.',
    scopes: ORGANIZATION_READ,
    role: 'view',
    returns: { 200: Org },
    missing: 'organization',
  })
  get(@Param('orgId') id: string, @Query() query: SummaryQuery): Promise<StoredResource<Org>> {
    return this.orgs.get(id, query);
  }

  @Patch()
  @Operation('org.patch', {
    summary: 'Updates an organization',
    description:
      'Omitted properties keep their value. Returns the organization, including its members if there are at most 100.',
    scopes: ORGANIZATION_WRITE,
    role: 'admin',
    body: { organization: OrgPatch },
    example: { description: 'The team of the north field', iconColor: '#4CAF50' },
    returns: { 200: Org },
    missing: 'organization',
  })
  patch(
    @Param('orgId') id: string,
    @Body() body: OrgPatch,
    @Query() query: SummaryQuery,
    @By() by: Author,
  ): Promise<StoredResource<Org>> {
    return this.orgs.patch(id, body, query, by);
  }

  @Delete()
  @Operation('org.delete', {
    summary: 'Deletes an organization',
    description:
      'Permanently deletes the organization and its applications. Takes effect immediately. The accounts of its members are kept.',
    scopes: ORGANIZATION_WRITE,
    role: 'admin',
    returns: { 200: Success },
    missing: 'organization',
  })
  delete(@Param('orgId') id: string, @By() by: Author): Promise<Success> {
    return this.orgs.delete(id, by);
  }
}
