import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import type { Principal } from '../../../platform/access/principal.js';
import { Caller } from '../../../platform/access/request.js';
import { APPLICATIONS_READ, APPLICATIONS_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { SummaryQuery } from '../../../platform/lists/query-fields.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored, StoredPage } from '../../../platform/responses/answers.js';
import { Application, ApplicationPost, Applications } from './application.resource.js';
import { ApplicationsService } from './applications.service.js';
import { ApplicationsQuery } from './applications.query.js';

@Controller('applications')
export class ApplicationsController {
  constructor(private readonly applications: ApplicationsService) {}

  @Get()
  @Operation('applications.get', {
    summary: 'Returns applications',
    description:
      'The applications that you see: those of your sandbox and of your organizations. In an organization in which your role is `none`, those on which you have a role of their own.',
    scopes: APPLICATIONS_READ,
    returns: { 200: Applications },
  })
  list(@Caller() caller: Principal, @Query() query: ApplicationsQuery): Promise<StoredPage<Application>> {
    return this.applications.list(caller, query);
  }

  @Post()
  @Operation('applications.post', {
    summary: 'Creates an application',
    description:
      'Makes an application in your sandbox, or in the organization `orgId`, for which you need the role `edit` there. With `applicationTemplateId` it has all that the template holds, or is not made: each property that you give goes, as a whole, before what the template says of it, and `appliedTemplateIds` has the template. Limits of the owner apply to all of it; workflows of the class `cloud` arrive disabled; what of a template cannot be imported is left out, and stands in the import log of the application. Templates with more than 500 files, 16 MiB, or 1 MiB of YAML and CSV are for `applyTemplate`. Whoever makes several from templates at once waits for one after the other: beyond eight that wait, or 15 seconds, it is 429.',
    scopes: APPLICATIONS_WRITE,
    body: { application: ApplicationPost },
    example: { name: 'Pump station', description: 'Everything about the pumps of the north field' },
    returns: { 201: Application },
    missing: 'organization',
  })
  create(
    @Body() body: ApplicationPost,
    @Query() query: SummaryQuery,
    @By() by: Author,
  ): Promise<Stored<Application>> {
    return this.applications.create(body, query, by);
  }
}
