import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_READ, APPLICATION_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { Stored, StoredPage } from '../../../platform/responses/answers.js';
import { CustomNodesQuery } from './custom-nodes.query.js';
import { FlowListsService } from './flow-lists.service.js';
import type { FlowVersion } from './flow-version.resource.js';
import {
  FlowsWithCustomNodes,
  FlowVersionsWithCustomNodes,
  FlowWithCustomNodes,
} from './flow-custom-nodes.resource.js';
import { FlowCustomNodesService } from './flow-custom-nodes.service.js';
import { type Flow, FlowPost } from './flow.resource.js';
import { FlowsByVersionQuery, FlowsQuery } from './flows.query.js';
import { FlowsService } from './flows.service.js';

@Controller('applications/:applicationId/flows')
export class FlowsController {
  constructor(
    private readonly flows: FlowsService,
    private readonly lists: FlowListsService,
    private readonly customNodes: FlowCustomNodesService,
  ) {}

  @Get()
  @Operation('flows.get', {
    summary: 'Returns the workflows of an application',
    description: `Of one class, cloud unless \`flowClass\` says otherwise. Their triggers, nodes and globals are those of the version that is being developed, and advanced queries look at these; \`triggerFilter\` looks at the version that runs. An advanced query takes the place of \`filterField\`, \`filter\`, \`triggerFilter\` and \`flowClass\`: it finds workflows of every class. With \`allVersions\` it finds a workflow also where it would with the triggers and nodes of one of its versions. Needs the role \`view\` on the application.`,
    scopes: APPLICATION_READ,
    role: 'view',
    returns: { 200: FlowsWithCustomNodes },
    missing: 'application',
  })
  list(
    @CurrentApplication() application: ApplicationAccess,
    @Query() query: FlowsQuery,
  ): Promise<StoredPage<Flow>> {
    return this.customNodes.besidePage(this.lists.flows(application, query), application.id, query);
  }

  @Get('version')
  @Operation('flows.getByVersion', {
    summary: 'Returns the versions of that name of all workflows of an application',
    description: `Workflows without a version of that name are left out. Each version has the name and description of its workflow, which \`name\` is in sorting, filters and queries; all else, \`enabled\` too, is the version's own. With \`version=develop\` the items are the versions that are being developed: their \`id\` is that of the workflow. An advanced query takes the place of \`filterField\`, \`filter\`, \`triggerFilter\` and \`flowClass\`. Needs the role \`view\` on the application.`,
    scopes: APPLICATION_READ,
    role: 'view',
    returns: { 200: FlowVersionsWithCustomNodes },
    missing: 'application',
  })
  listByVersion(
    @CurrentApplication() application: ApplicationAccess,
    @Query() query: FlowsByVersionQuery,
  ): Promise<StoredPage<FlowVersion>> {
    return this.customNodes.besidePage(this.lists.byVersion(application, query), application.id, query);
  }

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
    returns: { 201: FlowWithCustomNodes },
    missing: 'application',
  })
  create(
    @CurrentApplication() application: ApplicationAccess,
    @Body() body: FlowPost,
    @Query() query: CustomNodesQuery,
    @By() by: Author,
  ): Promise<Stored<Flow>> {
    return this.customNodes.besideOne(this.flows.create(application, body, by), application.id, query);
  }
}
