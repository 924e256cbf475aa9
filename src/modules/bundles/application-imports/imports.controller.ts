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
import type { Reply, StoredResource } from '../../../platform/responses/stored-resources.js';
import { JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import { Application } from '../../applications/applications/application.resource.js';
import { jobNote } from '../../devices/device-exports/export-notes.js';
import {
  ApplicationApplyTemplatePatch,
  ApplicationCloneDryRunResult,
  ApplicationClonePost,
  ApplicationCreationByTemplateResult,
} from './asked/application-clone.schemas.js';
import { APPLICATION_IMPORT_EXECUTIONS, IMPORT_CALLBACK } from './application-import.schemas.js';
import { ApplicationImportForm, ApplicationsImportForm } from './asked/import-forms.schemas.js';
import { ImportLogsQuery } from './import-logs.query.js';
import { ImportsService } from './imports.service.js';
import { MAX_BUNDLE_BYTES } from './asked/import-form.js';

const BUNDLE =
  'The bundle is a zip file of at most 256 MiB in the format of `POST /applications/{applicationId}/export`. Uncompressed, it can have up to 2 GiB, 50,000 files and 250,000 resources. All files may be in one top-level folder. Resources of unknown types are ignored. Experience versions are imported with all their contents; the contents of a version that already exists are unchanged. Bundles with links, encrypted files, duplicate names, paths outside the bundle or custom YAML tags are rejected. `options.importUrl` must be a public https URL.';
const RESULT_NOTE =
  'All resources get new IDs and references are updated wherever they occur; webhooks get new tokens. Each resource is validated like the body of a `POST`. Resources that cannot be imported are omitted and listed in `validationErrors`. The import is aborted with `422` after 100 such errors. Workflows of the class `cloud` are imported disabled. The import is atomic and returns `400` without writing anything if it would exceed a limit of the owner. Each owner can have one import or clone in progress; another one returns `429`.';
const JOB_NOTE = `The import runs as a job if it is large, uses \`importUrl\` or a repository, takes longer than five seconds, or has \`forceJob\`. ${jobNote('`validationErrors`, or `error`')}`;
const BUSY_NOTE = {
  422: 'Too many validation errors occurred.',
  429: 'Another import or clone of this owner is in progress',
};

@Controller('applications')
export class ApplicationsImportController {
  constructor(private readonly imports: ImportsService) {}

  @Post('import')
  @Operation('applications.import', {
    summary: 'Creates an application from a bundle',
    description: `Creates an application with the contents of a bundle. ${BUNDLE} ${RESULT_NOTE} ${JOB_NOTE} If the owner is an organization, the caller needs the role \`edit\` in it.`,
    scopes: APPLICATIONS_WRITE,
    form: ApplicationsImportForm,
    maxFileBytes: MAX_BUNDLE_BYTES,
    returns: { 201: ApplicationCreationByTemplateResult, 202: JobEnqueuedResult },
    callback: IMPORT_CALLBACK,
    missing: 'organization',
    errors: BUSY_NOTE,
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
    description: `Adds the contents of a bundle to an application. ${BUNDLE} Instead of a bundle, \`options.fromApplicationId\` can name an application on which you have the role \`admin\`. \`options.credentialName\` can name the credential of a Git repository; \`options.repo\` then selects the branch and directory, and links and submodules are rejected. ${RESULT_NOTE} \`conflictBehavior\` controls resources whose type and name already exist in the application. Workflow versions are matched by workflow and version, files by path. Data tables, credentials and files are never replaced, and experience users keep their passwords. Globals with an existing key keep their value unless resources are replaced. The name and readme of the application are unchanged. The result is recorded in the import log. ${JOB_NOTE} With \`dryRun\`, \`data\` also contains \`dryRunResults\`.`,
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'edit',
    form: ApplicationImportForm,
    maxFileBytes: MAX_BUNDLE_BYTES,
    returns: { 200: Application, 202: JobEnqueuedResult },
    callback: IMPORT_CALLBACK,
    missing: 'application',
    errors: BUSY_NOTE,
  })
  importInto(
    @CurrentApplication() application: ApplicationAccess,
    @Req() request: Request,
    @By() by: Author,
  ): Promise<StoredResource<Application> | Reply<JobEnqueuedResult>> {
    return this.imports.importInto(application, request, by);
  }

  @Patch('applyTemplate')
  @Operation('application.applyTemplate', {
    summary: 'Applies a template to an application',
    description: `Adds the contents of the template to the existing resources. Nothing is replaced, and globals with an existing key keep their value. The template is added to \`appliedTemplateIds\`. ${RESULT_NOTE} ${JOB_NOTE}`,
    scopes: APPLICATION_WRITE,
    role: 'edit',
    body: { applicationApplyTemplate: ApplicationApplyTemplatePatch },
    example: { templateId: ID_EXAMPLE },
    returns: { 200: Application, 202: JobEnqueuedResult },
    callback: IMPORT_CALLBACK,
    missing: 'template',
    errors: BUSY_NOTE,
  })
  applyTemplate(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: ApplicationApplyTemplatePatch,
    @By() by: Author,
  ): Promise<StoredResource<Application> | Reply<JobEnqueuedResult>> {
    return this.imports.applyTemplate(application, body, by);
  }

  @Get('importLogs')
  @Operation('application.importLogs', {
    summary: 'Lists the imports into an application',
    description:
      'Returns imports newest first, including the one that created the application. By default, only the newest import is returned.',
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
    description: `Exports the application and imports the bundle as a new application. Data that bundles do not contain is not copied: keys, tokens, certificates, events, device reports, and secrets of service credentials, for example. ${RESULT_NOTE} With \`dryRun\`, nothing is written and the status is \`200\`. If the clone requires a job, a dry run checks only the owner and the caller's permissions. ${JOB_NOTE} If the new owner is an organization, the caller also needs the role \`edit\` in it.`,
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
    callback: IMPORT_CALLBACK,
    missing: 'application',
    errors: BUSY_NOTE,
  })
  clone(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: ApplicationClonePost,
    @By() by: Author,
  ): Promise<Reply<object>> {
    return this.imports.clone(application, body, by);
  }
}
