import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import type { Principal } from '../../../platform/access/principal.js';
import { Caller } from '../../../platform/access/request.js';
import { APPLICATIONS_READ, APPLICATIONS_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { SummaryQuery } from '../../../platform/lists/query-fields.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { ChangesSites } from '../../../platform/sites/changes-sites.js';
import { Application, ApplicationPost, Applications } from './application.resource.js';
import { ApplicationsService } from './applications.service.js';
import { ApplicationsQuery } from './applications.query.js';

@ChangesSites()
@Controller('applications')
export class ApplicationsController {
  constructor(private readonly applications: ApplicationsService) {}

  @Get()
  @Operation('applications.get', {
    summary: 'Lists applications',
    description:
      'Includes the applications in your sandbox and in your organizations. In an organization in which your role is `none`, only applications on which you have an individual role are included.',
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
      'Creates an application in your sandbox, or in the organization `orgId`, which requires the role `edit` there. With `applicationTemplateId`, the application gets everything that the template contains, or is not created at all. Properties in the request take precedence over those of the template and are replaced, not merged. The template is added to `appliedTemplateIds`. The limits of the owner apply to all imported resources. Imported workflows of the class `cloud` are disabled. Resources that cannot be imported are skipped and listed in the import log of the application. Templates with more than 500 files, 16 MiB, or 1 MiB of YAML and CSV require `applyTemplate`. Concurrent requests of a caller with templates are queued. Returns `429` if eight requests are already waiting or a request waits longer than 15 seconds.',
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
  ): Promise<StoredResource<Application>> {
    return this.applications.create(body, query, by);
  }
}
