import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { INSTANCE_MANAGE, INSTANCE_MEMBERS_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import {
  InstanceCustomNode,
  InstanceCustomNodePost,
  InstanceCustomNodes,
} from './instance-custom-node.resource.js';
import { InstanceCustomNodesService } from './instance-custom-nodes.service.js';
import { InstanceCustomNodesQuery } from './instance-custom-nodes.query.js';

@Controller('instances/:instanceId/nodes')
export class InstanceCustomNodesController {
  constructor(private readonly nodes: InstanceCustomNodesService) {}

  @Get()
  @Operation('instanceCustomNodes.get', {
    summary: 'Lists the custom nodes of an instance',
    description:
      'Returns each custom node with the number of applications and workflows that use it, per organization. Applications owned by users are counted as `sandbox`.',
    scopes: INSTANCE_MEMBERS_READ,
    role: 'view',
    returns: { 200: InstanceCustomNodes },
    missing: 'instance',
  })
  list(
    @Param('instanceId') instanceId: string,
    @Query() { list }: InstanceCustomNodesQuery,
  ): Promise<StoredPage<InstanceCustomNode>> {
    return this.nodes.list(instanceId, list);
  }

  @Post()
  @Operation('instanceCustomNodes.post', {
    summary: 'Creates a custom node of an instance',
    description:
      'Creates a custom node, which is immediately available in the workflow palette of every application of the instance. It has no versions. Its graph consists of one trigger, `customNodeStart`, and ends in at least one `CustomNodeCapNode`, as in custom nodes of applications. The graph is validated as a whole; the error message names the invalid trigger or node. The limit `instanceCustomNode` of the instance applies.',
    scopes: INSTANCE_MANAGE,
    role: 'admin',
    body: { instanceCustomNode: InstanceCustomNodePost },
    example: {
      name: 'Average',
      triggers: [{ type: 'customNodeStart', outputIds: [['end']] }],
      nodes: [{ id: 'end', type: 'CustomNodeCapNode' }],
    },
    returns: { 201: InstanceCustomNode },
    missing: 'instance',
  })
  create(
    @Param('instanceId') instanceId: string,
    @Body() body: InstanceCustomNodePost,
    @By() by: Author,
  ): Promise<StoredResource<InstanceCustomNode>> {
    return this.nodes.create(instanceId, body, by);
  }
}
