import { Injectable } from '@nestjs/common';
import type { Author } from '../../../platform/audit/author.js';
import { Database } from '../../../platform/database/database.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import { Success } from '../../../platform/fields/shared.schemas.js';
import type { RunErrorsQuery, RunStatsQuery } from '../../flows/flow-runs/flow-runs.query.js';
import { NO_RUNS, stepsOf, windowOf } from '../../flows/flow-runs/flow-run-window.js';
import { changesGraph, columnsOf, graphColumnsOf } from './custom-node.rules.js';
import { InstanceCustomNodesRepository } from './instance-custom-nodes.repository.js';
import type {
  InstanceCustomNode,
  InstanceCustomNodePatch,
  InstanceCustomNodePost,
} from './instance-custom-node.resource.js';

/** Manages the custom nodes that all applications of an instance can use. */
@Injectable()
export class InstanceCustomNodesService {
  constructor(
    private readonly nodes: InstanceCustomNodesRepository,
    private readonly database: Database,
  ) {}

  list(instanceId: string, list: ListParameters): Promise<StoredPage<InstanceCustomNode>> {
    return this.nodes.findPage(instanceId, list);
  }

  create(
    instanceId: string,
    post: InstanceCustomNodePost,
    by: Author,
  ): Promise<StoredResource<InstanceCustomNode>> {
    const row = { ...columnsOf(post), ...graphColumnsOf(post) };
    return this.nodes.addTo(instanceId, row, by);
  }

  get(instanceId: string, id: string): Promise<StoredResource<InstanceCustomNode>> {
    return this.nodes.findOneOrFail(instanceId, id);
  }

  /**
   * Validates the graph as a whole while the row is locked, so that concurrent updates cannot produce an invalid graph.
   */
  async patch(
    instanceId: string,
    id: string,
    patch: InstanceCustomNodePatch,
    by: Author,
  ): Promise<StoredResource<InstanceCustomNode>> {
    const columns = columnsOf(patch);
    if (!changesGraph(patch)) return this.nodes.update(instanceId, id, columns, by);
    return this.database.transaction(async (transaction) => {
      const stored = await this.nodes.lock(instanceId, id, transaction);
      const graph = graphColumnsOf(patch, id, stored);
      return this.nodes.update(instanceId, id, { ...columns, ...graph }, by, transaction);
    });
  }

  /** Refuses to delete a custom node in use: a workflow fails when it reaches a deleted custom node. */
  async delete(instanceId: string, id: string, by: Author): Promise<Success> {
    await this.database.transaction(async (transaction) => {
      await this.nodes.lock(instanceId, id, transaction);
      if (await this.nodes.isUsed(instanceId, id, transaction))
        throw new ValidationError(
          'instanceCustomNode cannot be deleted: workflows or other custom nodes use it',
        );
      await this.nodes.delete(instanceId, id, by, transaction);
    });
    return new Success();
  }

  /** Returns counts of 0: runs are recorded per workflow, not per custom node. */
  async stats(instanceId: string, id: string, query: RunStatsQuery): Promise<object> {
    const { start, end, steps } = stepsOf(query);
    await this.nodes.findOneOrFail(instanceId, id);
    const metrics = steps.map((time) => ({ time, ...NO_RUNS }));
    return { start, end, resolution: query.resolution, metrics };
  }

  async errors(
    instanceId: string,
    id: string,
    { limit, sortDirection, ...window }: RunErrorsQuery,
  ): Promise<object> {
    await this.nodes.findOneOrFail(instanceId, id);
    return { ...windowOf(window), limit, sortDirection, errors: [] };
  }
}
