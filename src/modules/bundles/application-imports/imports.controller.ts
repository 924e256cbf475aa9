import { Body, Controller, Get, Patch, Post, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import {
  APPLICATION_CHILDREN_READ,
  APPLICATION_CHILDREN_WRITE,
  APPLICATION_WRITE,
  APPLICATIONS_WRITE,
} from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { ID_EXAMPLE } from '../../../platform/fields/fields.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Reply, Stored } from '../../../platform/responses/answers.js';
import { JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import { Application } from '../../applications/applications/application.resource.js';
import { jobTold } from '../../devices/device-exports/told.js';
import {
  ApplicationApplyTemplatePatch,
  ApplicationCloneDryRunResult,
  ApplicationClonePost,
  ApplicationCreationByTemplateResult,
} from './application-clone.schemas.js';
import { APPLICATION_IMPORT_EXECUTIONS } from './application-import.schemas.js';
import { ApplicationImportForm, ApplicationsImportForm } from './import-forms.schemas.js';
import { ImportLogsQuery } from './import-logs.query.js';
import { ImportsService } from './imports.service.js';

const BUNDLE =
  'A bundle is a zip file of at most 256 MiB as `POST /applications/{applicationId}/export` makes them; 2 GiB, 50,000 files and 250,000 resources when it is unpacked. Bundles may have everything in one folder; what they have of unknown kinds is left out. Versions of an experience come with all that they keep; where an application has one of that name, what it keeps stays as it is. Links, encrypted files, names given twice, paths that lead elsewhere, and YAML with tags of its own are refused. `options.importUrl` has to be https and public.';
const RESULT =
  'Every id is made anew, and what names it is rewired, wherever it stands; tokens of webhooks are new too. Each resource is held to what a `POST` of it would have to be. What cannot be imported is left out and stands in `validationErrors`; beyond a hundred such the import is given up with 422. Workflows of the class `cloud` arrive disabled. The limits of the owner are looked at before anything is written, and all is written in one transaction: a limit that does not allow it is 400, and nothing is there. An owner has one import or clone at a time: another is 429.';
const JOB = `What is not small, comes from \`importUrl\`, takes more than five seconds or has \`forceJob\` goes on as a job. ${jobTold('`validationErrors`, or `error`')}`;
const BUSY = {
  422: 'Too many validation errors occurred.',
  429: 'Another import or clone of this owner is under way',
};

@Controller('applications')
export class ApplicationsImportController {
  constructor(private readonly imports: ImportsService) {}

  @Post('import')
  @Operation('applications.import', {
    summary: 'Creates an application from a bundle',
    description: `${BUNDLE} ${RESULT} ${JOB} Needs the role \`edit\` in the organization, where one is to own it.`,
    scopes: APPLICATIONS_WRITE,
    form: ApplicationsImportForm,
    returns: { 201: ApplicationCreationByTemplateResult, 202: JobEnqueuedResult },
    missing: 'organization',
    errors: BUSY,
  })
  importNew(@Req() request: Request, @By() by: Author): Promise<Reply<object>> {
    return this.imports.importNew(request, by);
  }
}

@Controller('applications/:applicationId')
export class ApplicationImportController {
  constructor(private readonly imports: ImportsService) {}

  @Post('import')
  @Operation('application.import', {
    summary: 'Imports a bundle into an application',
    description: `${BUNDLE} In place of a bundle, \`options.fromApplicationId\` names an application on which you have the role \`admin\`, or \`options.credentialName\` a Git repository, of which \`options.repo\` says the branch and the directory that the bundle stands in; links and submodules in it are refused. ${RESULT} What the application has by the same type and name (versions: workflow and version, files: path) is dealt with as \`conflictBehavior\` says. Data tables, credentials and files are never replaced, and users of an experience keep their passwords. Globals whose key is there stay as they are unless they are replaced; name and readme of the application stay. How it ended stands in the import log. ${JOB} With \`dryRun\`, \`data\` has \`dryRunResults\` too. Needs the role \`edit\` on the application.`,
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'edit',
    form: ApplicationImportForm,
    returns: { 200: Application, 202: JobEnqueuedResult },
    missing: 'application',
    errors: BUSY,
  })
  importInto(
    @CurrentApplication() application: ApplicationAccess,
    @Req() request: Request,
    @By() by: Author,
  ): Promise<Stored<Application> | Reply<JobEnqueuedResult>> {
    return this.imports.importInto(application, request, by);
  }

  @Patch('applyTemplate')
  @Operation('application.applyTemplate', {
    summary: 'Adds what a template holds to an application',
    description: `It is imported beside what is there: nothing is replaced, and globals whose key is there stay as they are. \`appliedTemplateIds\` then has the template. ${RESULT} ${JOB} Needs the role \`edit\` on the application.`,
    scopes: APPLICATION_WRITE,
    role: 'edit',
    body: { applicationApplyTemplate: ApplicationApplyTemplatePatch },
    example: { templateId: ID_EXAMPLE },
    returns: { 200: Application, 202: JobEnqueuedResult },
    missing: 'template',
    errors: BUSY,
  })
  applyTemplate(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: ApplicationApplyTemplatePatch,
    @By() by: Author,
  ): Promise<Stored<Application> | Reply<JobEnqueuedResult>> {
    return this.imports.applyTemplate(application, body, by);
  }

  @Get('importLogs')
  @Operation('application.importLogs', {
    summary: 'Returns the imports into an application',
    description:
      'The newest first, and that alone unless you ask for more; what made the application is among them. Needs the role `view` on the application.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: APPLICATION_IMPORT_EXECUTIONS },
    missing: 'application',
  })
  log(
    @CurrentApplication() application: ApplicationAccess,
    @Query() { since, limit }: ImportLogsQuery,
  ): Promise<object[]> {
    return this.imports.log(application.id, since, limit);
  }

  @Post('clone')
  @Operation('application.clone', {
    summary: 'Copies an application',
    description: `It is exported, and the bundle imported: what no bundle has is not copied, such as keys, tokens, certificates, events, what devices reported, and secrets of service credentials. ${RESULT} With \`dryRun\` nothing is written, and the answer is 200; of what requires a job only the owner and its right to it are looked at then. ${JOB} Needs the role \`admin\` on the application, and \`edit\` in the organization that is to own the copy.`,
    scopes: APPLICATION_WRITE,
    role: 'admin',
    body: { applicationClone: ApplicationClonePost },
    optionalBody: true,
    example: { includeDevices: true, includeFiles: true },
    returns: {
      201: ApplicationCreationByTemplateResult,
      200: ApplicationCloneDryRunResult,
      202: JobEnqueuedResult,
    },
    missing: 'application',
    errors: BUSY,
  })
  clone(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: ApplicationClonePost,
    @By() by: Author,
  ): Promise<Reply<object>> {
    return this.imports.clone(application, body, by);
  }
}
