import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import type { Principal } from '../../../platform/access/principal.js';
import { Caller, CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import {
  APPLICATION_BROWSE,
  APPLICATION_CONFIGURE,
  APPLICATION_WRITE,
  APPLICATION_GET,
  APPLICATION_GLOBALS,
} from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { SummaryQuery } from '../../../platform/lists/query-fields.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ChangesSites } from '../../../platform/sites/changes-sites.js';
import { ApplicationReadmeService } from './application-readme.service.js';
import {
  Application,
  ApplicationPatch,
  ApplicationReadme,
  ApplicationReadmePatch,
  type ApplicationGlobalChange,
} from './application.resource.js';
import { GLOBAL_CHANGES } from './application.schemas.js';
import { ApplicationsService } from './applications.service.js';

@ChangesSites()
@Controller('applications/:applicationId')
export class ApplicationController {
  constructor(
    private readonly applications: ApplicationsService,
    private readonly readmes: ApplicationReadmeService,
  ) {}

  @Get()
  @Operation('application.get', {
    summary: 'Returns an application',
    description:
      'Returns the application. With `summaryInclude` or `summaryExclude`, limits the counts in `summary`.',
    scopes: APPLICATION_GET,
    selfGuarded: 'view',
    returns: { 200: Application },
    missing: 'application',
  })
  get(
    @Caller() caller: Principal,
    @Param('applicationId') id: string,
    @Query() query: SummaryQuery,
  ): Promise<StoredResource<Application>> {
    return this.applications.get(caller, id, query);
  }

  @Patch()
  @Operation('application.patch', {
    summary: 'Updates an application',
    description: 'Omitted properties keep their value. Arrays are replaced, not merged.',
    scopes: APPLICATION_CONFIGURE,
    selfGuarded: 'collaborate',
    body: { application: ApplicationPatch },
    example: { description: 'Everything about the pumps of the north field' },
    returns: { 200: Application },
    missing: 'application',
  })
  patch(
    @Param('applicationId') id: string,
    @Body() body: ApplicationPatch,
    @Query() query: SummaryQuery,
    @By() by: Author,
  ): Promise<StoredResource<Application>> {
    return this.applications.patch(id, body, query, by);
  }

  @Delete()
  @Operation('application.delete', {
    summary: 'Deletes an application',
    description: 'Permanently deletes the application and everything in it. Takes effect immediately.',
    scopes: APPLICATION_WRITE,
    role: 'edit',
    returns: { 200: Success },
    missing: 'application',
  })
  delete(@CurrentApplication() application: ApplicationAccess, @By() by: Author): Promise<Success> {
    return this.applications.delete(application, by);
  }

  @Patch('globals')
  @Operation('application.globals', {
    summary: 'Updates globals of an application',
    description:
      'Each entry updates the global with its key or adds a new one. Omitted properties keep their value, and `json: null` removes the global. The request is atomic: if one entry is invalid, no global is changed.',
    scopes: APPLICATION_GLOBALS,
    scopedAs: 'application.patch',
    role: 'collaborate',
    body: { globals: GLOBAL_CHANGES },
    example: [{ key: 'region', json: '"eu"' }],
    returns: { 200: Application },
    missing: 'application',
  })
  patchGlobals(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: ApplicationGlobalChange[],
    @By() by: Author,
  ): Promise<StoredResource<Application>> {
    return this.applications.patchGlobals(application, body, by);
  }

  @Get('readme')
  @Operation('application.readme', {
    summary: 'Returns the readme of an application',
    description: 'Returns the readme with its author. `content` is empty if no readme has been written.',
    scopes: APPLICATION_BROWSE,
    scopedAs: 'application.get',
    role: 'view',
    returns: { 200: ApplicationReadme },
    missing: 'application',
  })
  readme(@CurrentApplication() application: ApplicationAccess): Promise<StoredResource<ApplicationReadme>> {
    return this.readmes.get(application);
  }

  @Patch('readme')
  @Operation('application.readmePatch', {
    summary: 'Updates the readme of an application',
    description: 'Replaces the Markdown text of the readme. If `content` is absent, the text is kept.',
    scopes: APPLICATION_CONFIGURE,
    scopedAs: 'application.patch',
    role: 'collaborate',
    body: { readme: ApplicationReadmePatch },
    example: { content: '# Pump station' },
    returns: { 200: ApplicationReadme },
    missing: 'application',
  })
  patchReadme(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: ApplicationReadmePatch,
    @By() by: Author,
  ): Promise<StoredResource<ApplicationReadme>> {
    return this.readmes.patch(application, body, by);
  }
}
