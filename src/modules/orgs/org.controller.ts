import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import type { Principal } from '../../platform/access/principal.js';
import { Caller } from '../../platform/access/request.js';
import { ORGANIZATION_READ, ORGANIZATION_WRITE } from '../../platform/access/scopes.js';
import { SummaryQuery } from '../../platform/list/query-fields.js';
import { Operation } from '../../platform/operation.js';
import type { Stored } from '../../platform/response/answers.js';
import { Success } from '../../platform/shared.schemas.js';
import { Org, OrgPatch } from './org.resource.js';
import { OrgsService } from './orgs.service.js';

@Controller('orgs/:orgId')
export class OrgController {
  constructor(private readonly orgs: OrgsService) {}

  @Get()
  @Operation('org.get', {
    summary: 'Returns an organization',
    description: 'With its members. Needs the role `view` in the organization.',
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
    description: 'What is absent stays as it is. Needs the role `admin` in the organization.',
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
  ): Promise<Stored<Org>> {
    return this.orgs.patch(id, body, query);
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
  delete(@Caller() caller: Principal, @Param('orgId') id: string): Promise<Success> {
    return this.orgs.delete(caller, id);
  }
}
