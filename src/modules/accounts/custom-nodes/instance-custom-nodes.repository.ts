import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { inInstance } from '../../../platform/audit/audit.js';
import type { Author } from '../../../platform/audit/author.js';
import { countSql } from '../../../platform/counts/counts.js';
import type { Changes } from '../../../platform/database/changes.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { ScopedRepository } from '../../../platform/repositories/repository.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import { StoredPage, type StoredResource } from '../../../platform/responses/stored-resources.js';
import { CUSTOM_NODE_COMPUTED, IS_USED } from './custom-node.columns.js';
import { InstanceCustomNode } from './instance-custom-node.resource.js';

const COUNT = 'customNodeCount';
const USED = `SELECT ${IS_USED} AS used FROM instance_custom_nodes t WHERE t.instance_id = $1 AND t.id = $2`;

/** Stores the custom nodes of instances. */
@Injectable()
export class InstanceCustomNodesRepository extends ScopedRepository<InstanceCustomNode> {
  constructor(
    @InjectRepository(InstanceCustomNode) rows: Repository<InstanceCustomNode>,
    database: Database,
  ) {
    super(rows, database, {
      table: 'instance_custom_nodes',
      title: 'Custom node',
      scope: 'instanceId',
      computed: CUSTOM_NODE_COMPUTED,
      audited: inInstance('InstanceCustomNode'),
      count: COUNT,
    });
  }

  override async findPage(instanceId: string, list: ListParameters): Promise<StoredPage<InstanceCustomNode>> {
    const { items, envelope } = await super.findPage(instanceId, list);
    return new StoredPage(items, { ...envelope, instanceId });
  }

  /** Returns whether a workflow, or another custom node of the instance, executes the custom node. */
  async isUsed(instanceId: string, id: string, transaction: Transaction): Promise<boolean> {
    const [node] = await transaction.rows<{ used: boolean }>(prepared(USED, [instanceId, id]));
    return node!.used;
  }

  /** Inserts a row. Throws `400` if the instance has reached its limit. */
  addTo(
    instanceId: string,
    row: Changes<InstanceCustomNode>,
    by: Author,
  ): Promise<StoredResource<InstanceCustomNode>> {
    const owner = { table: 'instances', id: instanceId } as const;
    const used = countSql('$2', `'${COUNT}'`);
    return this.addWithinLimit(instanceId, row, by, { owner, limit: 'instanceCustomNode', used });
  }
}
