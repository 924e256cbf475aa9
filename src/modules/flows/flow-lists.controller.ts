import { Controller, Get, Query } from '@nestjs/common';
import { CurrentApplication, type ApplicationAccess } from '../../platform/access/request.js';
import { APPLICATION_READ } from '../../platform/access/scopes.js';
import type { ListSpec } from '../../platform/list/list-query.js';
import {
  listQuery,
  QueryBoolean,
  QueryChoice,
  QueryJson,
  QueryText,
} from '../../platform/list/query-fields.js';
import { Operation } from '../../platform/operation.js';
import type { StoredPage } from '../../platform/response/answers.js';
import { CustomNodesQuery } from './custom-nodes.query.js';
import { FlowListsService } from './flow-lists.service.js';
import {
  FLOW_BY_VERSION_QUERY,
  FLOW_QUERY,
  FLOW_TRIGGER_FILTER,
  type FlowTriggerFilter,
} from './flow-queries.js';
import { FlowVersions, type FlowVersion } from './flow-version.resource.js';
import { Flows, type Flow } from './flow.resource.js';
import { FLOW_CLASSES, type FlowClass } from './graph/graph.js';

const BY_NAME: ListSpec = {
  sort: ['name', 'id', 'creationDate', 'lastUpdated'],
  defaultSort: 'name',
  defaultDirection: 'asc',
  perPage: 100,
  filter: ['name'],
};
const OVERRIDDEN = 'An advanced query takes its place.';

/** The parameters that both lists of an application's workflows take. */
class FlowsFilter extends CustomNodesQuery {
  @QueryChoice(FLOW_CLASSES, { description: `The class of the workflows. ${OVERRIDDEN}`, default: 'cloud' })
  flowClass: FlowClass;

  @QueryJson(FLOW_TRIGGER_FILTER, {
    description: `Triggers, of which the version that runs has to have one. Written as \`triggerFilter[0][type]=webhook&triggerFilter[0][key]=575ec8687ae143cd83dc4a97\`, or as JSON; a trigger with neither type nor key is any. ${OVERRIDDEN}`,
    example: [{ type: 'webhook' }],
    brackets: true,
  })
  triggerFilter?: FlowTriggerFilter[];
}

export class FlowsQuery extends listQuery({ ...BY_NAME, query: FLOW_QUERY }, FlowsFilter) {
  @QueryBoolean({
    description:
      'Whether an advanced query may find a workflow by the triggers and nodes of any version, not only of the one that is being developed.',
    default: false,
  })
  allVersions: boolean;
}

export class FlowsByVersionQuery extends listQuery(
  { ...BY_NAME, query: FLOW_BY_VERSION_QUERY },
  FlowsFilter,
) {
  @QueryText({
    description: 'The name of the versions; `develop` for those that are being developed.',
    example: 'develop',
    maxLength: 255,
    required: true,
  })
  version: string;
}

/** Lists of an application's workflows. */
@Controller('applications/:applicationId/flows')
export class FlowListsController {
  constructor(private readonly lists: FlowListsService) {}

  @Get()
  @Operation('flows.get', {
    summary: 'Returns the workflows of an application',
    description: `Of one class, cloud unless \`flowClass\` says otherwise. Their triggers, nodes and globals are those of the version that is being developed, and advanced queries look at these; \`triggerFilter\` looks at the version that runs. An advanced query takes the place of \`filterField\`, \`filter\`, \`triggerFilter\` and \`flowClass\`: it finds workflows of every class. With \`allVersions\` it finds a workflow also where it would with the triggers and nodes of one of its versions. Needs the role \`view\` on the application.`,
    scopes: APPLICATION_READ,
    role: 'view',
    returns: { 200: Flows },
    missing: 'application',
  })
  list(
    @CurrentApplication() { id }: ApplicationAccess,
    @Query() query: FlowsQuery,
  ): Promise<StoredPage<Flow>> {
    return this.lists.flows(id, query);
  }

  @Get('version')
  @Operation('flows.getByVersion', {
    summary: 'Returns the versions of that name of all workflows of an application',
    description: `Workflows without a version of that name are left out. Each version has the name and description of its workflow, which \`name\` is in sorting, filters and queries; all else, \`enabled\` too, is the version's own. With \`version=develop\` the items are the versions that are being developed: their \`id\` is that of the workflow. An advanced query takes the place of \`filterField\`, \`filter\`, \`triggerFilter\` and \`flowClass\`. Needs the role \`view\` on the application.`,
    scopes: APPLICATION_READ,
    role: 'view',
    returns: { 200: FlowVersions },
    missing: 'application',
  })
  listByVersion(
    @CurrentApplication() { id }: ApplicationAccess,
    @Query() query: FlowsByVersionQuery,
  ): Promise<StoredPage<FlowVersion>> {
    return this.lists.byVersion(id, query);
  }
}
