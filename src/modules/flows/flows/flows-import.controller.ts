import { Body, Controller, Post } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import { FlowsImportPost, FlowsImportResult } from './flows-import.resource.js';
import { FlowsImportService } from './flows-import.service.js';
import { exampleId } from '../../../platform/fields/example-id.js';
import { ChangesSites } from '../../../platform/sites/changes-sites.js';

@ChangesSites()
@Controller('applications/:applicationId/flows/import')
export class FlowsImportController {
  constructor(private readonly flows: FlowsImportService) {}

  @Post()
  @Operation('flows.import', {
    summary: 'Imports workflows and their versions',
    description:
      "Imports workflows and versions in the format of list responses, of the same or another application. The import is atomic: if an item is invalid, nothing is imported and the error message names the item. Every item receives a new ID. IDs of imported workflows and versions are replaced in trigger keys, in configurations and in `meta` of nodes, so that imported custom nodes are still referenced. All other IDs are kept. A `defaultVersionId` outside the import is dropped. The `flowId` of a version must be a workflow of the import or of the application. Dates, authors, counts and the source application are ignored. Graphs are validated as at creation. The body can be up to 10 MiB. The owner's limit `flow` applies.",
    scopes: APPLICATION_WRITE,
    role: 'collaborate',
    body: { importData: FlowsImportPost },
    largeBody: true,
    example: {
      flows: [
        {
          id: exampleId('flow'),
          name: 'Alarm',
          triggers: [{ type: 'timer', config: { seconds: 60 } }],
          defaultVersionId: exampleId('flowVersion'),
        },
      ],
      flowVersions: [{ id: exampleId('flowVersion'), flowId: exampleId('flow'), version: '1.4.0' }],
    },
    returns: { 201: FlowsImportResult },
    missing: 'application',
  })
  import(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: FlowsImportPost,
    @By() by: Author,
  ): Promise<FlowsImportResult> {
    return this.flows.import(application, body, by);
  }
}
