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
import type { Stored } from '../../../platform/responses/answers.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
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

@Controller('applications/:applicationId')
export class ApplicationController {
  constructor(
    private readonly applications: ApplicationsService,
    private readonly readmes: ApplicationReadmeService,
  ) {}

  @Get()
  @Operation('application.get', {
    summary: 'Returns an application',
    description: 'Needs the role `view` on the application.',
    scopes: APPLICATION_GET,
    selfGuarded: 'view',
    returns: { 200: Application },
    missing: 'application',
  })
  get(
    @Caller() caller: Principal,
    @Param('applicationId') id: string,
    @Query() query: SummaryQuery,
  ): Promise<Stored<Application>> {
    return this.applications.get(caller, id, query);
  }

  @Patch()
  @Operation('application.patch', {
    summary: 'Changes an application',
    description:
      'What is absent stays as it is; lists are replaced whole. Needs the role `collaborate` on the application.',
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
  ): Promise<Stored<Application>> {
    return this.applications.patch(id, body, query, by);
  }

  @Delete()
  @Operation('application.delete', {
    summary: 'Deletes an application',
    description:
      'The application and all that belongs to it are gone at once and for good. Needs the role `edit` on the application.',
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
    summary: 'Changes globals of an application',
    description:
      'Each entry changes the global of its key, or adds one; members that are absent stay, and `json: null` removes the global. All or nothing. Needs the role `collaborate` on the application.',
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
  ): Promise<Stored<Application>> {
    return this.applications.patchGlobals(application, body, by);
  }

  @Get('readme')
  @Operation('application.readme', {
    summary: 'Returns the readme of an application',
    description: 'Its content is empty when none was written. Needs the role `view` on the application.',
    scopes: APPLICATION_BROWSE,
    scopedAs: 'application.get',
    role: 'view',
    returns: { 200: ApplicationReadme },
    missing: 'application',
  })
  readme(@CurrentApplication() application: ApplicationAccess): Promise<Stored<ApplicationReadme>> {
    return this.readmes.get(application);
  }

  @Patch('readme')
  @Operation('application.readmePatch', {
    summary: 'Writes the readme of an application',
    description: 'Replaces the text. Needs the role `collaborate` on the application.',
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
  ): Promise<Stored<ApplicationReadme>> {
    return this.readmes.patch(application, body, by);
  }
}
