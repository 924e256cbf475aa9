import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../../platform/access/request.js';
import { APPLICATION_READ, APPLICATION_WRITE } from '../../../platform/access/scopes.js';
import { By, type Author } from '../../../platform/audit/author.js';
import { Operation } from '../../../platform/operations/operation.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { ChangesSites } from '../../../platform/sites/changes-sites.js';
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

@ChangesSites()
@Controller('applications/:applicationId/flows')
export class FlowsController {
  constructor(
    private readonly flows: FlowsService,
    private readonly lists: FlowListsService,
    private readonly customNodes: FlowCustomNodesService,
  ) {}

  @Get()
  @Operation('flows.get', {
    summary: 'Lists the workflows of an application',
    description: `Returns workflows of one class, \`cloud\` by default. Triggers, nodes and globals are those of the development version, and advanced queries match these. \`triggerFilter\` matches the default version. An advanced query replaces \`filterField\`, \`filter\`, \`triggerFilter\` and \`flowClass\`: it returns workflows of every class. With \`allVersions\`, it also returns workflows of which any version matches by its triggers and nodes.`,
    scopes: APPLICATION_READ,
    role: 'view',
    returns: { 200: FlowsWithCustomNodes },
    missing: 'application',
  })
  list(
    @CurrentApplication() application: ApplicationAccess,
    @Query() query: FlowsQuery,
  ): Promise<StoredPage<Flow>> {
    return this.customNodes.pageWithCustomNodes(this.lists.flows(application, query), application.id, query);
  }

  @Get('version')
  @Operation('flows.getByVersion', {
    summary: 'Lists versions by name across workflows',
    description: `Returns the version with the given name of each workflow that has one. Each version includes the name and description of its workflow; sorting, filters and queries by \`name\` use the name of the workflow. All other properties, including \`enabled\`, are those of the version. With \`version=develop\`, the items are the development versions, and their \`id\` is the ID of the workflow. An advanced query replaces \`filterField\`, \`filter\`, \`triggerFilter\` and \`flowClass\`.`,
    scopes: APPLICATION_READ,
    role: 'view',
    returns: { 200: FlowVersionsWithCustomNodes },
    missing: 'application',
  })
  listByVersion(
    @CurrentApplication() application: ApplicationAccess,
    @Query() query: FlowsByVersionQuery,
  ): Promise<StoredPage<FlowVersion>> {
    return this.customNodes.pageWithCustomNodes(
      this.lists.byVersion(application, query),
      application.id,
      query,
    );
  }

  @Post()
  @Operation('flows.post', {
    summary: 'Creates a workflow',
    description:
      "Creates a workflow. The request body becomes the development version, which runs immediately unless another version is set as the default. The graph is validated as a whole: types must be allowed for the class, node IDs must be unique, and outputs must lead to existing nodes in the same loop. The error message names the invalid trigger or node. References to webhooks, devices and other resources are not checked. Triggers that require a key receive one if it is omitted. The owner's limit `flow` applies to the workflows of each application.",
    scopes: APPLICATION_WRITE,
    role: 'collaborate',
    body: { flow: FlowPost },
    example: {
      name: 'Alarm',
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
  ): Promise<StoredResource<Flow>> {
    return this.customNodes.withCustomNodes(this.flows.create(application, body, by), application.id, query);
  }
}
