import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { inInstance } from '../../platform/audit/audit.js';
import type { Author } from '../../platform/audit/author.js';
import { countSql } from '../../platform/counts/counts.js';
import type { Changes } from '../../platform/database/changes.js';
import { Database } from '../../platform/database/database.js';
import { ScopedRepository } from '../../platform/repository.js';
import type { Stored } from '../../platform/response/answers.js';
import { CUSTOM_NODE_COMPUTED } from './custom-node-columns.js';
import { InstanceCustomNode } from './instance-custom-node.resource.js';

const COUNT = 'customNodeCount';

/** The rows of the custom nodes of instances. */
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

  /** Stores a new row, or 400 where the instance may have no more of them. */
  addTo(
    instanceId: string,
    row: Changes<InstanceCustomNode>,
    by: Author,
  ): Promise<Stored<InstanceCustomNode>> {
    const owner = { table: 'instances', id: instanceId } as const;
    const used = countSql('$2', `'${COUNT}'`);
    return this.addLimited(instanceId, row, by, { owner, limit: 'instanceCustomNode', used });
  }
}
