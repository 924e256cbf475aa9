import { Body, Controller, Post } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import { JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import { OUTCOME_TOLD } from '../../devices/device-exports/told.js';
import { EmbeddedDeploymentExport } from './embedded-export.schemas.js';
import { EmbeddedExportsService, MOST_MODULES } from './embedded-exports.service.js';

@Controller('applications/:applicationId/embedded/deployments/export')
export class EmbeddedExportController {
  constructor(private readonly exports: EmbeddedExportsService) {}

  @Post()
  @Operation('embeddedDeployments.export', {
    summary: 'Exports what embedded devices are to run, as WebAssembly',
    description: `Compiles the desired bundle of a device, named by its id or by that of its deployment. Without either it is all devices of the application that are to run something, at most ${MOST_MODULES}; where more are, it is 400. Where none is, it is 404. The export is a zip file with \`manifest.json\` and, for each device, a folder with \`module.wasm\` (\`module.wasm.gz\` with \`gzip\`) and, with \`debugSymbols\`, the source map \`module.wasm.map\`. The manifest says of each module its bundle, the version of its interface, its workflows and their versions, how it was compiled, its size and SHA-256, and the functions that the device has to supply for its workflows. What does not compile is named there, on the log of the deployment and to who is told; where nothing does, the job fails. ${OUTCOME_TOLD} Needs the role \`collaborate\` on the application.`,
    scopes: APPLICATION_READ,
    role: 'collaborate',
    body: { embeddedDeploymentExport: EmbeddedDeploymentExport },
    optionalBody: true,
    example: { deviceId: '575ecf887ae143cd83dc4aa2', exportMemory: true },
    returns: { 202: JobEnqueuedResult },
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
