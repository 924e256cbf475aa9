import { Body, Controller, Post } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Reply } from '../../../platform/responses/stored-resources.js';
import { JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import { EXPORT_ERRORS, outcomeNote } from '../../devices/device-exports/export-notes.js';
import {
  APPLICATION_EXPORT_CALLBACK,
  ApplicationExportPost,
  ApplicationExportResult,
} from './application-export.schemas.js';
import { ApplicationExportsService } from './application-exports.service.js';

const BUNDLE = `The bundle is a zip file that contains \`application.yaml\`, \`README.md\`, YAML files with the resources, CSV files with data table rows, and the original files. There is one YAML file for each kind of resource or for each resource. IDs and webhook tokens are replaced with placeholders such as \`~exportplaceholderid-device-pump3~\`, including in texts that mention them. The \`exportHash\` of a resource changes with its content. All resources and file contents are from one snapshot; the rows of each data table are read slightly later. Identical content produces an identical bundle.`;
const EXCLUDED_NOTE = `Bundles never contain access keys, API tokens, device certificates, events, device reports and commands, workflow runs and storage, domains and slugs of the experience, or archiving settings. They contain no secrets: neither those of service credentials nor the passwords and verification codes of webhooks. Globals and workflows are exported verbatim, including any secrets written in them.`;
const COMMIT_NOTE = `With \`exportType: "repo"\`, the files of the bundle are committed to a Git repository, always in a job. They replace the contents of \`directory\`, except for entries directly in it whose names begin with a dot. The rest of the repository is unchanged. If nothing has changed, no commit is created. A commit can contain up to 50,000 files of 64 MiB each and 2 GiB in total. Instead of a link, \`data\` contains \`commit\`, \`branch\`, \`repoUrl\`, and \`noChanges\`, which is \`true\` if the repository already contained the export.`;

@Controller('applications/:applicationId/export')
export class ApplicationExportController {
  constructor(private readonly exports: ApplicationExportsService) {}

  @Post()
  @Operation('application.export', {
    summary: 'Exports an application as a bundle',
    description: `Exports the application. ${BUNDLE} ${EXCLUDED_NOTE} Small applications are exported immediately and the response contains the link. By default, an application is small with up to 500 resources and rows and 8 MiB of files; the operator can change the number of resources. Larger applications, and all exports with \`forceJob\`, run as a job, which is limited to one per application every five minutes. Links expire after \`blobUrlTTL\` seconds, or after 24 hours if the application does not set it. ${outcomeNote('that long')} ${COMMIT_NOTE}`,
    scopes: APPLICATION_WRITE,
    role: 'admin',
    body: { applicationExport: ApplicationExportPost },
    example: { includeFiles: true, includeDevices: true },
    returns: { 200: ApplicationExportResult, 202: JobEnqueuedResult },
    callback: APPLICATION_EXPORT_CALLBACK,
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
