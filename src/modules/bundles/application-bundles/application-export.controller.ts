import { Body, Controller, Post } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Reply } from '../../../platform/responses/answers.js';
import { JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import { EXPORT_ERRORS, outcomeTold } from '../../devices/device-exports/told.js';
import { ApplicationExportPost, ApplicationExportResult } from './application-export.schemas.js';
import { ApplicationExportsService } from './application-exports.service.js';

const BUNDLE = `The bundle is a zip file: \`application.yaml\`, \`README.md\`, a YAML file for each kind of resource or for each resource, CSV files with rows of data tables, and files as they are. Ids stand in it as placeholders such as \`~exportplaceholderid-device-pump3~\`, wherever a text names them, and so do tokens of webhooks; \`exportHash\` of a resource changes with its content. All resources are those of one moment, and files have the contents of that moment; the rows of each data table are those of a moment later. The same content makes the same bundle.`;
const LEFT_OUT = `No bundle has access keys, API tokens, certificates of devices, events, what devices reported or were told, runs and storage of workflows, domains and slugs of the experience, or how the application is archived. It has no secrets: none of service credentials, and no passwords and codes of webhooks. Globals and workflows are in it as they are, whatever stands in them.`;
const COMMITTED = `With \`exportType\` \`repo\` the files of the bundle are committed to a Git repository, always as a job. They take the place of what \`directory\` has, except for names that begin with a dot right there; everything else in the repository stays, and nothing is committed where nothing has changed. At most 50,000 files of 64 MiB each and 2 GiB together are committed. In place of a link, \`data\` has \`commit\`, \`branch\`, \`repoUrl\`, and \`noChanges\`, which says whether all was there already.`;

@Controller('applications/:applicationId/export')
export class ApplicationExportController {
  constructor(private readonly exports: ApplicationExportsService) {}

  @Post()
  @Operation('application.export', {
    summary: 'Exports an application as a bundle',
    description: `${BUNDLE} ${LEFT_OUT} Small applications (up to 500 resources and rows and 8 MiB of files, as the operator says) are exported at once, and the answer has the link; others, and with \`forceJob\` all, once in five minutes. Links are good for \`blobUrlTTL\` seconds of the application, or 24 hours. ${outcomeTold('that long')} ${COMMITTED} Needs the role \`admin\` on the application.`,
    scopes: APPLICATION_WRITE,
    role: 'admin',
    body: { applicationExport: ApplicationExportPost },
    example: { includeFiles: true, includeDevices: true },
    returns: { 200: ApplicationExportResult, 202: JobEnqueuedResult },
    missing: 'application',
    errors: EXPORT_ERRORS,
  })
  export(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: ApplicationExportPost,
    @By() by: Author,
  ): Promise<ApplicationExportResult | Reply<JobEnqueuedResult>> {
    return this.exports.export(application, body, by);
  }
}
