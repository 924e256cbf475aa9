import { Body, Controller, Post } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import { FlowsImportPost, FlowsImportResult } from './flows-import.resource.js';
import { FlowsImportService } from './flows-import.service.js';

@Controller('applications/:applicationId/flows/import')
export class FlowsImportController {
  constructor(private readonly flows: FlowsImportService) {}

  @Post()
  @Operation('flows.import', {
    summary: 'Imports workflows and versions',
    description:
      'Takes what lists of workflows and of versions answer, of this application or another, and makes all of it or, where something is wrong, nothing. Every item gets a new id; the ids of workflows and versions of the import are replaced by the new ones wherever they stand in keys of triggers and in configurations and `meta` of nodes, so that custom nodes in the import are used as before. All other ids stay. A `defaultVersionId` that is not in the import is left out; `flowId` of a version is a workflow of the import or one that the application has. Dates, signatures, counts and the old application are not looked at. What an item does is checked as when it is made, and the message names the item at fault. The body may have 10 MiB. The limit `flow` of the owner holds. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_WRITE,
    role: 'collaborate',
    body: { importData: FlowsImportPost },
    largeBody: true,
    example: {
      flows: [
        {
          id: '575ec8687ae143cd83dc4a97',
          name: 'Every minute',
          triggers: [{ type: 'timer', config: { seconds: 60 } }],
          defaultVersionId: '575ec8687ae143cd83dc4a98',
        },
      ],
      flowVersions: [
        { id: '575ec8687ae143cd83dc4a98', flowId: '575ec8687ae143cd83dc4a97', version: '1.4.0' },
      ],
    },
    returns: { 201: FlowsImportResult },
    missing: 'application',
    errors: {
      413: 'The body is larger than 10 MiB, has more than 500,000 values or is nested deeper than 64.',
    },
  })
  import(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: FlowsImportPost,
    @By() by: Author,
  ): Promise<FlowsImportResult> {
    return this.flows.import(application, body, by);
  }
}
