import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored } from '../../../platform/responses/answers.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { CustomNodesQuery } from './custom-nodes.query.js';
import { FlowWithCustomNodes } from './flow-custom-nodes.resource.js';
import { FlowCustomNodesService } from './flow-custom-nodes.service.js';
import { type Flow, FlowPatch } from './flow.resource.js';
import { FlowsService } from './flows.service.js';

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
      'Its triggers, nodes and globals are those of the version `develop`, whichever runs. Needs the role `view` on the application.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: FlowWithCustomNodes },
    missing: 'flow',
  })
  get(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('flowId') flowId: string,
    @Query() query: CustomNodesQuery,
  ): Promise<Stored<Flow>> {
    return this.customNodes.besideOne(this.flows.get(id, flowId), id, query);
  }

  @Patch()
  @Operation('flow.patch', {
    summary: 'Changes a workflow',
    description:
      'What is absent stays as it is; lists are replaced whole, and what the workflow does afterwards is checked as when it is made. Triggers, nodes and globals are those of the version `develop`: while another is the default, what runs stays. `defaultVersionId` chooses what runs, and `null` the version `develop`; an experience workflow has no default of its own. `minimumAgentVersion` can only rise. Devices to which it was released get what changed of their version. Needs the role `collaborate` on the application.',
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
  ): Promise<Stored<Flow>> {
    return this.customNodes.besideOne(this.flows.patch(id, flowId, body, by), id, query);
  }

  @Delete()
  @Operation('flow.delete', {
    summary: 'Deletes a workflow',
    description:
      'It is gone for good and at once; its versions, its storage and the record of its runs are removed after that. An experience workflow that versions of the experience have stays in these: it is empty in `develop`, `deletedInDevelop` tells so, and it goes with the last of them. A custom node that a version of some workflow uses cannot be deleted; the message names one. Devices that are to run it are not to any more, a moment later. Needs the role `collaborate` on the application.',
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
