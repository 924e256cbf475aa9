import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { BulkDeleteResponse, JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import { ChangesSites } from '../../../platform/sites/changes-sites.js';
import { FlowVersionsDeletePost } from './flow-versions-delete.resource.js';
import { FlowVersionsWithCustomNodes, FlowVersionWithCustomNodes } from './flow-custom-nodes.resource.js';
import { FlowCustomNodesService } from './flow-custom-nodes.service.js';
import { type FlowVersion, FlowVersionPost } from './flow-version.resource.js';
import { FlowVersionsService, MAX_DELETED } from './flow-versions.service.js';
import { FlowVersionsPostQuery, FlowVersionsQuery } from './flow-versions.query.js';

@ChangesSites()
@Controller('applications/:applicationId/flows/:flowId/versions')
export class FlowVersionsController {
  constructor(
    private readonly versions: FlowVersionsService,
    private readonly customNodes: FlowCustomNodesService,
  ) {}

  @Get()
  @Operation('flowVersions.get', {
    summary: 'Lists the versions of a workflow',
    description: 'Returns all versions except the development version.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: FlowVersionsWithCustomNodes },
    missing: 'flow',
  })
  list(
    @CurrentApplication() application: ApplicationAccess,
    @Param('flowId') flowId: string,
    @Query() query: FlowVersionsQuery,
  ): Promise<StoredPage<FlowVersion>> {
    const listed = this.versions.list(application, flowId, query.list);
    return this.customNodes.pageWithCustomNodes(listed, application.id, query);
  }

  @Post()
  @Operation('flowVersions.post', {
    summary: 'Creates a version of a workflow',
    description:
      'Creates a version from the request body; nothing is copied from the development version. The graph is validated like that of a workflow. The name must be unique within the workflow, and neither `develop` nor `default`. With `allowReplacement`, an existing version with the name is replaced and keeps its ID. If it is the default version, the new graph runs immediately, and it is deployed to the devices that run this version. Returns `400` for experience workflows: their versions belong to versions of the experience.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { flowVersion: FlowVersionPost },
    example: {
      version: '1.4.0',
      notes: 'Warns earlier',
      triggers: [{ type: 'timer', config: { seconds: 60 }, outputIds: [['log']] }],
      nodes: [{ id: 'log', type: 'DebugNode', config: { message: 'Still there' }, outputIds: [[]] }],
    },
    returns: { 201: FlowVersionWithCustomNodes },
    missing: 'flow',
  })
  create(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('flowId') flowId: string,
    @Body() body: FlowVersionPost,
    @Query() query: FlowVersionsPostQuery,
    @By() by: Author,
  ): Promise<StoredResource<FlowVersion>> {
    const made = this.versions.create(id, flowId, body, query.allowReplacement, by);
    return this.customNodes.withCustomNodes(made, id, query);
  }

  @Post('delete')
  @Operation('flowVersions.delete', {
    summary: 'Deletes versions of a workflow',
    description: `Permanently deletes the versions that match an advanced query. The default version, and versions of custom nodes that other workflows use, are kept and counted in \`failed\`. A request deletes up to ${MAX_DELETED} versions; repeat it while \`removed\` equals this number. The request is currently synchronous and creates no job, so \`email\` and \`callbackUrl\` have no effect.`,
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { options: FlowVersionsDeletePost },
    example: { query: { version: { $startsWith: '0.' } } },
    returns: { 200: BulkDeleteResponse, 202: JobEnqueuedResult },
    missing: 'flow',
  })
  deleteMany(
    @CurrentApplication() application: ApplicationAccess,
    @Param('flowId') flowId: string,
    @Body() body: FlowVersionsDeletePost,
    @By() by: Author,
  ): Promise<BulkDeleteResponse> {
    return this.versions.deleteMany(application, flowId, body, by);
  }
}
