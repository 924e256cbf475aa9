import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored, StoredPage } from '../../../platform/responses/answers.js';
import { BulkDeleteResponse, JobEnqueuedResult } from '../../../platform/fields/shared.schemas.js';
import { FlowVersionsDeletePost } from './flow-versions-delete.resource.js';
import { FlowVersionsWithCustomNodes, FlowVersionWithCustomNodes } from './flow-custom-nodes.resource.js';
import { FlowCustomNodesService } from './flow-custom-nodes.service.js';
import { type FlowVersion, FlowVersionPost } from './flow-version.resource.js';
import { FlowVersionsService, MOST_REMOVED } from './flow-versions.service.js';
import { FlowVersionsPostQuery, FlowVersionsQuery } from './flow-versions.query.js';

@Controller('applications/:applicationId/flows/:flowId/versions')
export class FlowVersionsController {
  constructor(
    private readonly versions: FlowVersionsService,
    private readonly customNodes: FlowCustomNodesService,
  ) {}

  @Get()
  @Operation('flowVersions.get', {
    summary: 'Returns the versions of a workflow',
    description: 'Without the one that is being developed. Needs the role `view` on the application.',
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
    return this.customNodes.besidePage(listed, application.id, query);
  }

  @Post()
  @Operation('flowVersions.post', {
    summary: 'Creates a version of a workflow',
    description:
      'Nothing is taken from the version `develop`: a version is made of what its body gives, and is checked as a workflow is. Its name is new in the workflow and neither `develop` nor `default`. With `allowReplacement` a version of that name becomes the new one and keeps its id; where it is the default, that is what runs from then on, and devices to which it was released get the new one. Experience workflows have the versions of their experience and none of their own. Needs the role `collaborate` on the application.',
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
  ): Promise<Stored<FlowVersion>> {
    const made = this.versions.create(id, flowId, body, query.allowReplacement, by);
    return this.customNodes.besideOne(made, id, query);
  }

  @Post('delete')
  @Operation('flowVersions.delete', {
    summary: 'Deletes versions of a workflow',
    description: `Those that an advanced query finds, for good. The default version stays, and so do versions of custom nodes that some workflow uses: \`failed\` counts them. One request removes ${MOST_REMOVED} versions at most; send it again while \`removed\` is that many. It is done when it is answered, so no job is made yet, and \`email\` and \`callbackUrl\` have nothing to tell. Needs the role \`collaborate\` on the application.`,
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
