import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { inApplication } from '../../../platform/audit/audit.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { compileAdvancedQuery } from '../../../platform/lists/advanced-query.js';
import { ScopedRepository } from '../../../platform/repositories/repository.js';
import type { BulkDeleteResponse } from '../../../platform/fields/shared.schemas.js';
import { USERS_OF_NODE_VERSION } from './custom-node-users.columns.js';
import { FLOW_VERSION_QUERY } from './flow-queries.js';
import { FLOW_VERSION_COMPUTED } from './flow.columns.js';
import { FlowVersion } from './flow-version.resource.js';

const IN_APPLICATION = inApplication('Flow');
/** Audit log entries of versions have the workflow as target. */
const AUDITED = {
  ...IN_APPLICATION,
  join: `JOIN flows w ON w.id = t.flow_id ${IN_APPLICATION.join}`,
  secondary: { type: 'Flow', id: 'w.id', name: 'w.name' },
};

const USER = `SELECT CASE WHEN t.flow_class = 'customNode' THEN
    (SELECT users.name FROM (${USERS_OF_NODE_VERSION}) users LIMIT 1) END AS user
  FROM flow_versions t WHERE t.flow_id = $1 AND t.id = $2`;
/** SQL condition: the version `t` is the default of the workflow `f`, or another workflow executes it. */
const IS_REFERENCED = `(t.id IS NOT DISTINCT FROM f.default_version_id
  OR (t.flow_class = 'customNode' AND EXISTS (${USERS_OF_NODE_VERSION})))`;
const dropMatching = (condition: string, max: number) => `WITH
  matching AS (SELECT t.id, ${IS_REFERENCED} AS needed FROM flow_versions t JOIN flows f ON f.id = t.flow_id
    WHERE t.flow_id = $1 AND ${condition} ORDER BY needed, t.id LIMIT ${max}),
  removed AS (DELETE FROM flow_versions v USING matching m WHERE v.id = m.id AND NOT m.needed RETURNING v.id)
  SELECT (SELECT count(*) FROM removed) AS removed, (SELECT count(*) FROM matching WHERE needed) AS failed`;

/** Stores the versions of workflows. */
@Injectable()
export class FlowVersionsRepository extends ScopedRepository<FlowVersion> {
  constructor(@InjectRepository(FlowVersion) rows: Repository<FlowVersion>, database: Database) {
    super(rows, database, {
      table: 'flow_versions',
      title: 'Flow version',
      scope: ['applicationId', 'flowId'],
      ownerExists: 'EXISTS (SELECT FROM flows f WHERE f.application_id = $1 AND f.id = $2)',
      conflictMessages: { flow_versions_name: 'flowVersion.version is not available' },
      computed: FLOW_VERSION_COMPUTED,
      audited: AUDITED,
      count: 'versionCount',
    });
  }

  /** Returns whether a version belongs to the workflow. */
  isOf(flowId: string, id: string, { manager }: Transaction): Promise<boolean> {
    return manager.withRepository(this.rows).existsBy({ flowId, id });
  }

  /** Returns the ID of the version with this name, or `undefined` if it does not exist. */
  async idOf(flowId: string, version: string, { manager }: Transaction): Promise<string | undefined> {
    const where = { flowId, version };
    return (await manager.withRepository(this.rows).findOne({ select: { id: true }, where }))?.id;
  }

  /**
   * Returns the name of a workflow that executes the version of a custom node, if any. Returns `undefined` if the
   * version does not exist.
   */
  async userOf(
    flowId: string,
    id: string,
    transaction: Transaction,
  ): Promise<{ user: string | null } | undefined> {
    const [version] = await transaction.rows<{ user: string | null }>(prepared(USER, [flowId, id]));
    return version;
  }

  /** Deletes up to `max` versions of a workflow that match a query, except those in use. */
  async dropMatching(
    flowId: string,
    query: object,
    max: number,
    transaction: Transaction,
  ): Promise<BulkDeleteResponse> {
    const values: unknown[] = [flowId];
    const condition = compileAdvancedQuery(query, FLOW_VERSION_QUERY.fields, values);
    const text = dropMatching(condition, max);
    return (await transaction.rows<BulkDeleteResponse>({ text, values }))[0]!;
  }
}
