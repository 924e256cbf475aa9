import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { INSTANCE_READ, INSTANCE_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import { FLOW_ERRORS, FLOW_RUN_STATS } from '../../flows/flow-runs/flow-run-answers.js';
import { RunErrorsQuery, RunStatsQuery } from '../../flows/flow-runs/flow-runs.query.js';
import { InstanceCustomNode, InstanceCustomNodePatch } from './instance-custom-node.resource.js';
import { InstanceCustomNodesService } from './instance-custom-nodes.service.js';

@Controller('instances/:instanceId/nodes/:instanceCustomNodeId')
export class InstanceCustomNodeController {
  constructor(private readonly nodes: InstanceCustomNodesService) {}

  @Get()
  @Operation('instanceCustomNode.get', {
    summary: 'Returns a custom node of an instance',
    description:
      'Returns the custom node with its graph and its usage across the organizations of the instance.',
    scopes: INSTANCE_READ,
    role: 'view',
    returns: { 200: InstanceCustomNode },
    missing: 'custom node',
  })
  get(
    @Param('instanceId') instanceId: string,
    @Param('instanceCustomNodeId') id: string,
  ): Promise<StoredResource<InstanceCustomNode>> {
    return this.nodes.get(instanceId, id);
  }

  @Patch()
  @Operation('instanceCustomNode.patch', {
    summary: 'Updates a custom node of an instance',
    description:
      'Omitted properties keep their value. Arrays are replaced, not merged. Custom nodes of an instance have no versions: the change takes effect immediately in every workflow that executes the node.',
    scopes: INSTANCE_WRITE,
    role: 'admin',
    body: { instanceCustomNode: InstanceCustomNodePatch },
    example: { shortDescription: 'Averages a list', category: 'logic' },
    returns: { 200: InstanceCustomNode },
    missing: 'custom node',
  })
  patch(
    @Param('instanceId') instanceId: string,
    @Param('instanceCustomNodeId') id: string,
    @Body() body: InstanceCustomNodePatch,
    @By() by: Author,
  ): Promise<StoredResource<InstanceCustomNode>> {
    return this.nodes.patch(instanceId, id, body, by);
  }

  @Delete()
  @Operation('instanceCustomNode.delete', {
    summary: 'Deletes a custom node of an instance',
    description:
      'Permanently deletes the custom node. Returns `400` if a workflow, in any of its versions, or another custom node of the instance executes it.',
    scopes: INSTANCE_WRITE,
    role: 'admin',
    returns: { 200: Success },
    missing: 'custom node',
  })
  delete(
    @Param('instanceId') instanceId: string,
    @Param('instanceCustomNodeId') id: string,
    @By() by: Author,
  ): Promise<Success> {
    return this.nodes.delete(instanceId, id, by);
  }

  @Get('stats')
  @Operation('instanceCustomNode.stats', {
    summary: 'Returns run statistics of a custom node of an instance',
    description:
      'Returns run counts per interval. Runs are recorded per workflow and not per custom node, so every interval has a count of 0.',
    scopes: INSTANCE_READ,
    role: 'view',
    returns: { 200: FLOW_RUN_STATS },
    missing: 'custom node',
  })
  stats(
    @Param('instanceId') instanceId: string,
    @Param('instanceCustomNodeId') id: string,
    @Query() query: RunStatsQuery,
  ): Promise<object> {
    return this.nodes.stats(instanceId, id, query);
  }

  @Get('errors')
  @Operation('instanceCustomNode.errors', {
    summary: 'Lists the errors of a custom node of an instance',
    description:
      'Errors are recorded for the workflows that they occur in and not for custom nodes, so the list is always empty.',
    scopes: INSTANCE_READ,
    role: 'view',
    returns: { 200: FLOW_ERRORS },
    missing: 'custom node',
  })
  errors(
    @Param('instanceId') instanceId: string,
    @Param('instanceCustomNodeId') id: string,
    @Query() query: RunErrorsQuery,
  ): Promise<object> {
    return this.nodes.errors(instanceId, id, query);
  }
}
