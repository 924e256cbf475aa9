import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ChangesSites } from '../../../platform/sites/changes-sites.js';
import { CustomNodesQuery } from './custom-nodes.query.js';
import { FlowWithCustomNodes } from './flow-custom-nodes.resource.js';
import { FlowCustomNodesService } from './flow-custom-nodes.service.js';
import { type Flow, FlowPatch } from './flow.resource.js';
import { FlowsService } from './flows.service.js';

@ChangesSites()
@Controller('applications/:applicationId/flows/:flowId')
export class FlowController {
  constructor(
    private readonly flows: FlowsService,
    private readonly customNodes: FlowCustomNodesService,
  ) {}

  @Get()
  @Operation('flow.get', {
    summary: 'Returns a workflow',
    description:
      'Returns the workflow with the triggers, nodes and globals of the development version, regardless of the default version.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: FlowWithCustomNodes },
    missing: 'flow',
  })
  get(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('flowId') flowId: string,
    @Query() query: CustomNodesQuery,
  ): Promise<StoredResource<Flow>> {
    return this.customNodes.withCustomNodes(this.flows.get(id, flowId), id, query);
  }

  @Patch()
  @Operation('flow.patch', {
    summary: 'Updates a workflow',
    description:
      'Omitted properties keep their value. Arrays are replaced, not merged. The resulting graph is validated as a whole. Triggers, nodes and globals belong to the development version: while another version is the default, the running version does not change. `defaultVersionId` sets the default version; `null` selects the development version. Experience workflows have no default version. `minimumAgentVersion` can only be increased. If the workflow is deployed, devices receive changes to their version.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { flow: FlowPatch },
    example: { description: 'Warns when a pump runs dry', enabled: true },
    returns: { 200: FlowWithCustomNodes },
    missing: 'flow',
  })
  patch(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('flowId') flowId: string,
    @Body() body: FlowPatch,
    @Query() query: CustomNodesQuery,
    @By() by: Author,
  ): Promise<StoredResource<Flow>> {
    return this.customNodes.withCustomNodes(this.flows.patch(id, flowId, body, by), id, query);
  }

  @Delete()
  @Operation('flow.delete', {
    summary: 'Deletes a workflow',
    description:
      'Permanently deletes the workflow. Its versions, storage and runs are purged asynchronously. An experience workflow that versions of the experience contain remains in these versions, with `deletedInDevelop` set and an empty development version; it is deleted together with the last of them. Returns `400` for a custom node that a version of another workflow uses; the message names one such workflow. Deployments of the workflow are removed from devices asynchronously.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    returns: { 200: Success },
    missing: 'flow',
  })
  delete(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('flowId') flowId: string,
    @By() by: Author,
  ): Promise<Success> {
    return this.flows.delete(id, flowId, by);
  }
}
