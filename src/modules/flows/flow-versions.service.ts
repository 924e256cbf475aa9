import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ApplicationAccess } from '../../platform/access/request.js';
import { writeEntry } from '../../platform/audit/audit.js';
import type { Author } from '../../platform/audit/author.js';
import { Database } from '../../platform/database/database.js';
import { NotFound, ValidationError } from '../../platform/errors/errors.js';
import { compileAdvancedQuery } from '../../platform/list/advanced-query.js';
import type { Stored } from '../../platform/response/answers.js';
import { Success, type BulkDeleteResponse } from '../../platform/shared.schemas.js';
import { USERS_OF_NODE_VERSION } from './custom-node-users.js';
import { FLOW_VERSION_QUERY } from './flow-queries.js';
import type { FlowVersionsDeletePost } from './flow-versions-delete.resource.js';
import { FlowVersionsRepository } from './flow-versions.repository.js';
import { FlowVersion, type FlowVersionPatch, type FlowVersionPost } from './flow-version.resource.js';
import { Flow } from './flow.resource.js';
import { checkVersionName, liveTriggersOf, savedGraph } from './flow.rules.js';
import { lockFlow } from './flows.service.js';

const TITLE = 'Flow version';
/** How many versions one request removes; each of them may be large. */
export const MOST_REMOVED = 1000;

/**
 * Versions of workflows. Whatever makes or removes one locks its workflow first, so that the version that runs is always
 * one that is there.
 */
@Injectable()
export class FlowVersionsService {
  constructor(
    private readonly versions: FlowVersionsRepository,
    private readonly database: Database,
  ) {}

  /** A version of the same name is replaced where that is allowed; it keeps its id, and runs on if it was what runs. */
  create(
    applicationId: string,
    flowId: string,
    post: FlowVersionPost,
    allowReplacement: boolean,
    by: Author,
  ): Promise<Stored<FlowVersion>> {
    checkVersionName(post.version);
    return this.database.transaction(async (transaction) => {
      const { manager } = transaction;
      const { flowClass, defaultVersionId } = await lockFlow(manager, applicationId, flowId);
      if (flowClass === 'experience')
        throw new ValidationError(
          'flowVersion cannot be of an experience workflow: its experience has versions',
        );
      const given = { triggers: [], nodes: [], globals: [], ...post };
      const { changes } = savedGraph(flowClass, given, { at: 'flowVersion', ownId: flowId });
      const row = { ...EMPTY, ...post, ...changes, flowClass };
      const replaced =
        allowReplacement && flowClass !== 'customNode'
          ? await manager.findOne(FlowVersion, {
              select: { id: true },
              where: { flowId, version: post.version },
            })
          : null;
      const scope = [applicationId, flowId];
      if (!replaced) return this.versions.add(scope, row, by, transaction);
      if (replaced.id === defaultVersionId)
        await manager.query('UPDATE flows SET live_triggers = $2::jsonb WHERE id = $1', [
          flowId,
          JSON.stringify(liveTriggersOf(changes.triggers)),
        ]);
      return this.versions.change(scope, replaced.id, row, by, transaction);
    });
  }

  get(applicationId: string, flowId: string, id: string): Promise<Stored<FlowVersion>> {
    return this.versions.obtain([applicationId, flowId], id);
  }

  patch(
    applicationId: string,
    flowId: string,
    id: string,
    patch: FlowVersionPatch,
    by: Author,
  ): Promise<Stored<FlowVersion>> {
    return this.versions.change([applicationId, flowId], id, patch, by);
  }

  async delete(applicationId: string, flowId: string, id: string, by: Author): Promise<Success> {
    await this.database.transaction(async (transaction) => {
      const { manager } = transaction;
      const flow = await lockFlow(manager, applicationId, flowId);
      await refuseNeeded(manager, flow, id);
      await this.versions.drop([applicationId, flowId], id, by, transaction);
    });
    return new Success();
  }

  /** Removes what a query finds, but for what is needed. */
  deleteMany(
    { id: applicationId, ownerId }: ApplicationAccess,
    flowId: string,
    { query }: FlowVersionsDeletePost,
    by: Author,
  ): Promise<BulkDeleteResponse> {
    const values: unknown[] = [flowId];
    const condition = compileAdvancedQuery(query, FLOW_VERSION_QUERY.fields, values);
    return this.database.transaction(async ({ manager }) => {
      const flow = await lockFlow(manager, applicationId, flowId);
      const [counts] = await manager.query<BulkDeleteResponse[]>(
        `WITH matching AS (SELECT t.id, ${NEEDED} AS needed FROM flow_versions t JOIN flows f ON f.id = t.flow_id
           WHERE t.flow_id = $1 AND ${condition} ORDER BY needed, t.id LIMIT ${MOST_REMOVED}),
         removed AS (DELETE FROM flow_versions v USING matching m WHERE v.id = m.id AND NOT m.needed RETURNING v.id)
         SELECT (SELECT count(*)::int FROM removed) AS removed,
           (SELECT count(*)::int FROM matching WHERE needed) AS failed`,
        values,
      );
      const [application] = await manager.query<{ name: string }[]>(
        'SELECT name FROM applications WHERE id = $1',
        [applicationId],
      );
      await writeEntry(manager, by, {
        organization: {
          id: ownerId,
          primary: { type: 'Application', id: applicationId, name: application!.name },
          secondary: { type: 'Flow', id: flowId, name: flow.name },
        },
      });
      return counts!;
    });
  }
}

/** What a version has of that which its body does not give. */
const EMPTY = { enabled: true, notes: null, minimumAgentVersion: null, customNodeConfig: null };

/** SQL: whether a version `t` of the workflow `f` runs, or is part of a workflow that executes it. */
const NEEDED = `(t.id IS NOT DISTINCT FROM f.default_version_id
  OR (t.flow_class = 'customNode' AND EXISTS (${USERS_OF_NODE_VERSION})))`;

async function refuseNeeded(manager: EntityManager, flow: Flow, id: string): Promise<void> {
  const [version] = await manager.query<{ user: string | null }[]>(
    `SELECT CASE WHEN t.flow_class = 'customNode' THEN
       (SELECT users.name FROM (${USERS_OF_NODE_VERSION}) users LIMIT 1) END AS user
     FROM flow_versions t WHERE t.flow_id = $1 AND t.id = $2`,
    [flow.id, id],
  );
  if (!version) throw new NotFound(TITLE);
  if (flow.defaultVersionId === id)
    throw new ValidationError('flowVersion cannot be deleted: it is the default version of its workflow');
  if (version.user !== null)
    throw new ValidationError(
      `flowVersion cannot be deleted: the workflow ${JSON.stringify(version.user)} uses it`,
    );
}
