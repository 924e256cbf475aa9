import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import type { Principal } from '../../../platform/access/principal.js';
import { Caller } from '../../../platform/access/request.js';
import { USER_CREATE, USER_LIST } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { SummaryQuery } from '../../../platform/lists/query-fields.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { Org, OrgPost, Orgs } from './org.resource.js';
import { OrgsService } from './orgs.service.js';
import { OrgsQuery } from './orgs.query.js';

@Controller('orgs')
export class OrgsController {
  constructor(private readonly orgs: OrgsService) {}

  @Get()
  @Operation('orgs.get', {
    summary: 'Lists organizations',
    description:
      'Returns the organizations in which your role is at least `view`. Members are included for organizations with at most 100 members; for others, use `org.get`.',
    scopes: USER_LIST,
    returns: { 200: Orgs },
  })
  list(@Caller() caller: Principal, @Query() query: OrgsQuery): Promise<StoredPage<Org>> {
    return this.orgs.list(caller, query);
  }

  @Post()
  @Operation('orgs.post', {
    summary: 'Creates an organization',
    description: 'You become its only member, with the role `admin`.',
    scopes: USER_CREATE,
    body: { organization: OrgPost },
    example: { name: 'North Field', description: 'The team of the north field' },
    returns: { 201: Org },
  })
  create(
    @Body() body: OrgPost,
    @Query() query: SummaryQuery,
    @By() by: Author,
  ): Promise<StoredResource<Org>> {
    return this.orgs.create(body, query, by);
  }
}
