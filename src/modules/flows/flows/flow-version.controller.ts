import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_CHILDREN_READ, APPLICATION_CHILDREN_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { ChangesSites } from '../../../platform/sites/changes-sites.js';
import { CustomNodesQuery } from './custom-nodes.query.js';
import { FlowVersionWithCustomNodes } from './flow-custom-nodes.resource.js';
import { FlowCustomNodesService } from './flow-custom-nodes.service.js';
import { type FlowVersion, FlowVersionPatch } from './flow-version.resource.js';
import { FlowVersionsService } from './flow-versions.service.js';

@ChangesSites()
@Controller('applications/:applicationId/flows/:flowId/versions/:flowVersionId')
export class FlowVersionController {
  constructor(
    private readonly versions: FlowVersionsService,
    private readonly customNodes: FlowCustomNodesService,
  ) {}

  @Get()
  @Operation('flowVersion.get', {
    summary: 'Returns a version of a workflow',
    description:
      'Returns a version by ID. The development version has no ID; it is returned with the workflow.',
    scopes: APPLICATION_CHILDREN_READ,
    role: 'view',
    returns: { 200: FlowVersionWithCustomNodes },
    missing: 'flow version',
  })
  get(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('flowId') flowId: string,
    @Param('flowVersionId') flowVersionId: string,
    @Query() query: CustomNodesQuery,
  ): Promise<StoredResource<FlowVersion>> {
    return this.customNodes.withCustomNodes(this.versions.get(id, flowId, flowVersionId), id, query);
  }

  @Patch()
  @Operation('flowVersion.patch', {
    summary: 'Updates a version of a workflow',
    description:
      'Updates the notes, and enables or disables the version. The graph of a version cannot be changed.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    body: { flowVersion: FlowVersionPatch },
    example: { notes: 'Warns earlier' },
    returns: { 200: FlowVersionWithCustomNodes },
    missing: 'flow version',
  })
  patch(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('flowId') flowId: string,
    @Param('flowVersionId') flowVersionId: string,
    @Body() body: FlowVersionPatch,
    @Query() query: CustomNodesQuery,
    @By() by: Author,
  ): Promise<StoredResource<FlowVersion>> {
    const changed = this.versions.patch(id, flowId, flowVersionId, body, by);
    return this.customNodes.withCustomNodes(changed, id, query);
  }

  @Delete()
  @Operation('flowVersion.delete', {
    summary: 'Deletes a version of a workflow',
    description:
      'Permanently deletes the version. Returns `400` for the default version, and for a version of a custom node that another workflow uses; the message names one such workflow. Versions of experience workflows are deleted together with versions of the experience and cannot be deleted separately. Deployments of the version are removed from devices asynchronously.',
    scopes: APPLICATION_CHILDREN_WRITE,
    role: 'collaborate',
    returns: { 200: Success },
    missing: 'flow version',
  })
  delete(
    @CurrentApplication() { id }: ApplicationAccess,
    @Param('flowId') flowId: string,
    @Param('flowVersionId') flowVersionId: string,
    @By() by: Author,
  ): Promise<Success> {
    return this.versions.delete(id, flowId, flowVersionId, by);
  }
}
