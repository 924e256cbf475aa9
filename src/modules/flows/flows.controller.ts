import { Body, Controller, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../platform/access/request.js';
import { APPLICATION_WRITE } from '../../platform/access/scopes.js';
import { By, type Author } from '../../platform/audit/author.js';
import { Operation } from '../../platform/operation.js';
import type { Stored } from '../../platform/response/answers.js';
import { CustomNodesQuery } from './custom-nodes.query.js';
import { Flow, FlowPost } from './flow.resource.js';
import { FlowsService } from './flows.service.js';

@Controller('applications/:applicationId/flows')
export class FlowsController {
  constructor(private readonly flows: FlowsService) {}

  @Post()
  @Operation('flows.post', {
    summary: 'Creates a workflow',
    description:
      'What is given becomes the version `develop`, which runs at once while there is no other default. What it does is checked as a whole: the types that its class allows, ids of nodes that are given once, outputs that lead to nodes that exist and stand in the same loop; the message names the trigger or node at fault. Whether the webhooks, devices and others exist that it names is not asked. Triggers without a key get one where they need it. The limit `flow` of the owner counts the workflows of each application. Needs the role `collaborate` on the application.',
    scopes: APPLICATION_WRITE,
    role: 'collaborate',
    body: { flow: FlowPost },
    example: {
      name: 'Every minute',
      triggers: [{ type: 'timer', config: { seconds: 60 }, outputIds: [['log']] }],
      nodes: [{ id: 'log', type: 'DebugNode', config: { message: 'Still there' }, outputIds: [[]] }],
    },
    returns: { 201: Flow },
    missing: 'application',
  })
  create(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: FlowPost,
    @Query() _query: CustomNodesQuery,
    @By() by: Author,
  ): Promise<Stored<Flow>> {
    return this.flows.create(application, body, by);
  }
}
