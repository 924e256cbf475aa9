import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { ORGANIZATION_READ, ORGANIZATION_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { SummaryQuery } from '../../../platform/lists/query-fields.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored } from '../../../platform/responses/answers.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { Org, OrgPatch } from './org.resource.js';
import { OrgsService } from './orgs.service.js';

@Controller('orgs/:orgId')
export class OrgController {
  constructor(private readonly orgs: OrgsService) {}

  @Get()
  @Operation('org.get', {
    summary: 'Returns an organization',
    description: 'With all of its members. Needs the role `view` in the organization.',
    scopes: ORGANIZATION_READ,
    role: 'view',
    returns: { 200: Org },
    missing: 'organization',
  })
  get(@Param('orgId') id: string, @Query() query: SummaryQuery): Promise<Stored<Org>> {
    return this.orgs.get(id, query);
  }

  @Patch()
  @Operation('org.patch', {
    summary: 'Changes an organization',
    description:
      'What is absent stays as it is. The answer has the members where they are at most 100. Needs the role `admin` in the organization.',
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
  ): Promise<Stored<Org>> {
    return this.orgs.patch(id, body, query, by);
  }

  @Delete()
  @Operation('org.delete', {
    summary: 'Deletes an organization',
    description:
      'The organization and its applications are gone at once and for good; its members stay users. Needs the role `admin` in the organization.',
    scopes: ORGANIZATION_WRITE,
    role: 'admin',
    returns: { 200: Success },
    missing: 'organization',
  })
  delete(@Param('orgId') id: string, @By() by: Author): Promise<Success> {
    return this.orgs.delete(id, by);
  }
}
