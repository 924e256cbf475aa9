import { Controller, Get, Param, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ } from '../../platform/access/scopes.js';
import { listQuery } from '../../platform/list/query-fields.js';
import { Operation } from '../../platform/operation.js';
import type { StoredPage } from '../../platform/response/answers.js';
import { CustomNodesQuery } from './custom-nodes.query.js';
import { FlowListsService } from './flow-lists.service.js';
import { FLOW_VERSION_QUERY } from './flow-queries.js';
import { FlowVersions, type FlowVersion } from './flow-version.resource.js';

export class FlowVersionsQuery extends listQuery(
  {
    sort: ['version', 'id', 'creationDate', 'lastUpdated'],
    defaultSort: 'version',
    defaultDirection: 'asc',
    perPage: 100,
    filter: ['version'],
    query: FLOW_VERSION_QUERY,
  },
  CustomNodesQuery,
) {}

/** The list of a workflow's versions. */
@Controller('applications/:applicationId/flows/:flowId/versions')
export class FlowVersionListsController {
  constructor(private readonly lists: FlowListsService) {}

  @Get()
  @Operation('flowVersions.get', {
    summary: 'Returns the versions of a workflow',
    description: 'Without the one that is being developed. Needs the role `view` on the application.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: FlowVersions },
    missing: 'flow',
  })
  list(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('flowId') flowId: string,
    @Query() { list }: FlowVersionsQuery,
  ): Promise<StoredPage<FlowVersion>> {
    return this.lists.versions(id, flowId, list);
  }
}
