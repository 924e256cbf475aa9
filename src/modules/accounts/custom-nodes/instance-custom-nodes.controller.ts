import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { INSTANCE_MANAGE, INSTANCE_MEMBERS_READ } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored, StoredPage } from '../../../platform/responses/answers.js';
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
    summary: 'Returns the custom nodes of an instance',
    description:
      'With how many applications and workflows of each organization use them; those of users are counted as `sandbox`. Needs the role `view` in the instance.',
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
      'Workflows of all applications of the instance can execute it at once: it is in their palettes, and has no versions. It is made as a custom node of an application is: one trigger, `customNodeStart`, and at least one `CustomNodeCapNode` that ends it. What it does is checked as a whole, and the message names the trigger or node at fault. The limit `instanceCustomNode` of the instance counts them. Needs the role `admin` in the instance.',
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
  ): Promise<Stored<InstanceCustomNode>> {
    return this.nodes.create(instanceId, body, by);
  }
}
