import { Injectable } from '@nestjs/common';
import type { Author } from '../../platform/audit/author.js';
import { Database } from '../../platform/database/database.js';
import { NotFound, ValidationError } from '../../platform/errors/errors.js';
import type { ListParameters } from '../../platform/list/list-query.js';
import { StoredPage, type Stored } from '../../platform/response/answers.js';
import { Success } from '../../platform/shared.schemas.js';
import type { RunErrorsQuery, RunStatsQuery } from '../flow-runs/flow-runs.query.js';
import { NO_RUNS, stepsOf, windowOf } from '../flow-runs/flow-run-window.js';
import { changesGraph, columnsOf, graphColumnsOf } from './custom-node.rules.js';
import { IS_USED } from './custom-node-columns.js';
import { InstanceCustomNodesRepository } from './instance-custom-nodes.repository.js';
import {
  InstanceCustomNode,
  type InstanceCustomNodePatch,
  type InstanceCustomNodePost,
} from './instance-custom-node.resource.js';

const TITLE = 'Custom node';
/** Custom nodes that all applications of an instance can use. */
@Injectable()
export class InstanceCustomNodesService {
  constructor(
    private readonly nodes: InstanceCustomNodesRepository,
    private readonly database: Database,
  ) {}

  async list(instanceId: string, list: ListParameters): Promise<StoredPage<InstanceCustomNode>> {
    const { items, envelope } = await this.nodes.page(instanceId, list);
    return new StoredPage(items, { ...envelope, instanceId });
  }

  create(instanceId: string, post: InstanceCustomNodePost, by: Author): Promise<Stored<InstanceCustomNode>> {
    const row = { ...columnsOf(post), ...graphColumnsOf(post) } as Partial<InstanceCustomNode>;
    return this.nodes.addTo(instanceId, row, by);
  }

  get(instanceId: string, id: string): Promise<Stored<InstanceCustomNode>> {
    return this.nodes.obtain(instanceId, id);
  }

  /** What it does is checked as a whole, with the row locked: of two changes that come at once both stay. */
  async patch(
    instanceId: string,
    id: string,
    patch: InstanceCustomNodePatch,
    by: Author,
  ): Promise<Stored<InstanceCustomNode>> {
    const columns = columnsOf(patch);
    if (!changesGraph(patch)) return this.nodes.change(instanceId, id, columns, by);
    return this.database.transaction(async (transaction) => {
      const stored = await transaction.manager.findOne(InstanceCustomNode, {
        where: { id, instanceId },
        lock: { mode: 'for_no_key_update' },
      });
      if (!stored) throw new NotFound(TITLE);
      const graph = graphColumnsOf(patch, id, stored);
      return this.nodes.change(instanceId, id, { ...columns, ...graph }, by, transaction);
    });
  }

  /** Refused while it is used: a workflow that names a custom node which is gone fails when it comes to it. */
  async delete(instanceId: string, id: string, by: Author): Promise<Success> {
    await this.database.transaction(async (transaction) => {
      const [node] = await transaction.manager.query<{ used: boolean }[]>(
        `SELECT ${IS_USED} AS used FROM instance_custom_nodes t WHERE t.instance_id = $1 AND t.id = $2 FOR UPDATE OF t`,
        [instanceId, id],
      );
      if (!node) throw new NotFound(TITLE);
      if (node.used)
        throw new ValidationError(
          'instanceCustomNode cannot be deleted: workflows or other custom nodes use it',
        );
      await this.nodes.drop(instanceId, id, by, transaction);
    });
    return new Success();
  }

  /** Runs are recorded of workflows, not of the custom nodes that they execute: nothing is counted. */
  async stats(instanceId: string, id: string, query: RunStatsQuery): Promise<object> {
    const { start, end, steps } = stepsOf(query);
    await this.nodes.obtain(instanceId, id);
    const metrics = steps.map((time) => ({ time, ...NO_RUNS }));
    return { start, end, resolution: query.resolution, metrics };
  }

  async errors(
    instanceId: string,
    id: string,
    { limit, sortDirection, ...window }: RunErrorsQuery,
  ): Promise<object> {
    await this.nodes.obtain(instanceId, id);
    return { ...windowOf(window), limit, sortDirection, errors: [] };
  }
}
