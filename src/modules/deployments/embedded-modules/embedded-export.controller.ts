import { Body, Controller, Post } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import { JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import { EXPORT_CALLBACK } from '../../devices/device-exports/export-link.js';
import { OUTCOME_NOTE } from '../../devices/device-exports/export-notes.js';
import { EmbeddedDeploymentExport } from './embedded-export.schemas.js';
import { EmbeddedExportsService, MAX_MODULES } from './embedded-exports.service.js';
import { ID_EXAMPLE } from '../../../platform/fields/fields.js';

@Controller('applications/:applicationId/embedded/deployments/export')
export class EmbeddedExportController {
  constructor(private readonly exports: EmbeddedExportsService) {}

  @Post()
  @Operation('embeddedDeployments.export', {
    summary: 'Exports embedded bundles as WebAssembly',
    description: `Compiles the desired bundle of a device, selected by its ID or that of its deployment. Without either, compiles the bundles of all devices of the application, up to ${MAX_MODULES}. Returns \`400\` if there are more, and \`404\` if no bundle is desired. The export is a zip file with \`manifest.json\` and a folder for each device. The folder contains \`module.wasm\` (\`module.wasm.gz\` with \`gzip\`) and, with \`debugSymbols\`, the source map \`module.wasm.map\`. For each module, the manifest lists its bundle, interface version, workflow versions, compiler options, size, SHA-256, and the functions that the device must provide. Bundles that cannot be compiled are reported in the manifest, in the log of the deployment and in the notification. If none can be compiled, the job fails. ${OUTCOME_NOTE}`,
    scopes: APPLICATION_READ,
    role: 'collaborate',
    body: { embeddedDeploymentExport: EmbeddedDeploymentExport },
    optionalBody: true,
    example: { deviceId: ID_EXAMPLE, exportMemory: true },
    returns: { 202: JobEnqueuedResult },
    callback: EXPORT_CALLBACK,
    missing: 'embedded deployment',
  })
  async export(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: EmbeddedDeploymentExport | undefined,
    @By() by: Author,
  ): Promise<JobEnqueuedResult> {
    return this.exports.export(application, body ?? new EmbeddedDeploymentExport(), by);
  }
}
