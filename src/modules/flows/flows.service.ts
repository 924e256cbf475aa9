import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ApplicationAccess } from '../../platform/access/request.js';
import type { Author } from '../../platform/audit/author.js';
import { Database } from '../../platform/database/database.js';
import { NotFound, ValidationError } from '../../platform/errors/errors.js';
import type { Stored } from '../../platform/response/answers.js';
import { Success } from '../../platform/shared.schemas.js';
import { seenApplication } from '../applications/applications.repository.js';
import { registerRecentKind } from '../../platform/recent/recent-kinds.js';
import { USERS_OF_NODE } from './custom-node-users.js';
import { FlowVersion } from './flow-version.resource.js';
import { Flow, type FlowPatch, type FlowPost } from './flow.resource.js';
import { FlowsRepository } from './flows.repository.js';
import { checkAgentVersion, graphOf, liveTriggersOf, savedGraph } from './flow.rules.js';
import type { FlowGraph, LiveTrigger } from './graph/graph.js';

registerRecentKind('flow', {
  table: 'flows',
  seenBy: (caller, values) =>
    `t.application_id IN (SELECT t.id FROM applications t WHERE ${seenApplication(caller, values)})`,
});

/** Workflows: making, changing and removing them. What runs is kept beside each for whoever looks for its triggers. */
@Injectable()
export class FlowsService {
  constructor(
    private readonly flows: FlowsRepository,
    private readonly database: Database,
  ) {}

  create(application: ApplicationAccess, post: FlowPost, by: Author): Promise<Stored<Flow>> {
    const flowClass = post.flowClass ?? 'cloud';
    const { changes } = savedGraph(flowClass, post);
    const row = {
      enabled: true,
      triggers: [],
      nodes: [],
      globals: [],
      ...cleared(post),
      ...changes,
      flowClass,
      liveTriggers: liveTriggersOf(changes.triggers),
    };
    return this.flows.addTo(application, row, by);
  }

  get(applicationId: string, id: string): Promise<Stored<Flow>> {
    return this.flows.obtain(applicationId, id);
  }

  /** What it does is checked as a whole, with the row locked: of two changes that come at once both stay. */
  async patch(applicationId: string, id: string, patch: FlowPatch, by: Author): Promise<Stored<Flow>> {
    const { defaultVersionId, ...rest } = cleared(patch);
    if (defaultVersionId === undefined && Object.keys(graphOf(rest)).length === 0)
      return this.flows.change(applicationId, id, rest, by);
    return this.database.transaction(async (transaction) => {
      const { manager } = transaction;
      const flow = await lockFlow(manager, applicationId, id);
      checkAgentVersion(flow.minimumAgentVersion, rest.minimumAgentVersion);
      const { changes, whole } = savedGraph(flow.flowClass, rest, { ownId: id, stored: flow });
      const live = await liveAfter(manager, flow, defaultVersionId?.toLowerCase() ?? defaultVersionId, whole);
      return this.flows.change(applicationId, id, { ...rest, ...changes, ...live }, by, transaction);
    });
  }

  /** Its versions, runs and storage go with it. */
  async delete(applicationId: string, id: string, by: Author): Promise<Success> {
    await this.database.transaction(async (transaction) => {
      const { manager } = transaction;
      const { flowClass } = await lockFlow(manager, applicationId, id);
      if (flowClass === 'customNode') await refuseUsedNode(manager, id);
      await this.flows.drop(applicationId, id, by, transaction);
    });
    return new Success();
  }
}

/** The workflow, locked until the transaction ends: what it does and which version runs change for one at a time. */
export async function lockFlow(manager: EntityManager, applicationId: string, id: string): Promise<Flow> {
  const flow = await manager.findOne(Flow, {
    where: { id, applicationId },
    lock: { mode: 'for_no_key_update' },
  });
  if (!flow) throw new NotFound('Flow');
  return flow;
}

/** An empty category is none. */
function cleared<T extends { category?: string }>(
  body: T,
): Omit<T, 'category'> & { category?: string | null } {
  return { ...body, ...(body.category === '' ? { category: null } : {}) };
}

/** The columns that tell what runs, where that changes: another default version, or other triggers while there is none. */
async function liveAfter(
  manager: EntityManager,
  flow: Flow,
  defaultVersionId: string | null | undefined,
  { triggers }: FlowGraph,
): Promise<{ defaultVersionId?: string | null; liveTriggers?: LiveTrigger[] }> {
  if (defaultVersionId === undefined)
    return flow.defaultVersionId ? {} : { liveTriggers: liveTriggersOf(triggers) };
  if (defaultVersionId === null) return { defaultVersionId, liveTriggers: liveTriggersOf(triggers) };
  if (flow.flowClass === 'experience')
    throw new ValidationError('flow.defaultVersionId cannot be set on an experience workflow');
  const version = await manager.findOne(FlowVersion, {
    select: { id: true, triggers: true },
    where: { id: defaultVersionId, flowId: flow.id },
  });
  if (!version) throw new ValidationError('flow.defaultVersionId is not a version of this workflow');
  return { defaultVersionId, liveTriggers: liveTriggersOf(version.triggers) };
}

async function refuseUsedNode(manager: EntityManager, id: string): Promise<void> {
  const [user] = await manager.query<{ name: string }[]>(
    `SELECT users.name FROM flows t, LATERAL (${USERS_OF_NODE}) users WHERE t.id = $1 LIMIT 1`,
    [id],
  );
  if (user)
    throw new ValidationError(`flow cannot be deleted: the workflow ${JSON.stringify(user.name)} uses it`);
}
