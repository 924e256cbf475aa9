import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { newId } from '../../../platform/repositories/resource.js';
import type { DeploymentRowStore } from '../deployments/deployer.js';
import type { DeploymentChange, DueTask } from '../deployments/deployment-change.js';
import { loggedSql } from '../deployments/deployment.columns.js';
import { entrySql, etagSql, replaceSql } from './edge-changes.columns.js';
import { EdgeCustomNodesRepository } from './edge-custom-nodes.repository.js';

/** Locked before their deployments, as in all transactions. */
const LOCK_DEVICES = `SELECT d.id, d.device_class = 'edgeCompute' AND d.deleted_at IS NULL FROM devices d
  WHERE d.application_id = $1 AND d.id = ANY ($2::text[]) ORDER BY d.id FOR SHARE`;
const LOCK = `SELECT t.id FROM edge_deployments t WHERE t.application_id = $1 AND t.device_id = ANY ($2::text[])
  ORDER BY t.device_id, t.flow_id FOR NO KEY UPDATE`;
const RELEASE = `INSERT INTO edge_deployments AS t (id, application_id, device_id, flow_id, flow_class, creation_date, last_updated,
    desired_version, desired_etag, logs)
  SELECT n.id, $1, n.device_id, f.id, f.flow_class, now(), now(), $5, e.etag,
    jsonb_build_array(${entrySql('$6', ['NULL::text', '$5::text', 'NULL::text', 'e.etag'])})
  FROM flows f CROSS JOIN LATERAL (${etagSql('$4', '$5::text')}) e CROSS JOIN unnest($3::text[], $2::text[]) n (id, device_id)
  WHERE f.id = $4 ORDER BY n.device_id
  ${replaceSql('$6')}`;

/**
 * Updates released rows of the devices `$2` that meet a condition to a version given as SQL over `t`; `$3` is the base of
 * the entry.
 */
const changeSql = (condition: string, version: string) => `WITH meant AS MATERIALIZED (
    SELECT t.id, t.flow_id, ${version} AS version FROM edge_deployments t
    WHERE t.application_id = $1 AND t.device_id = ANY ($2::text[]) AND t.desired_version IS NOT NULL
      AND NOT t.is_dependency AND ${condition}),
  contents AS MATERIALIZED (SELECT m.flow_id, m.version, e.etag
    FROM (SELECT DISTINCT m.flow_id, m.version FROM meant m WHERE m.version IS NOT NULL) m
    CROSS JOIN LATERAL (${etagSql('m.flow_id', 'm.version')}) e)
  UPDATE edge_deployments t SET last_updated = now(), desired_version = n.version, desired_etag = n.etag,
    logs = ${loggedSql(entrySql('$3', ['t.desired_version', 'n.version', 't.desired_etag', 'n.etag']), 't.logs')}
  FROM (SELECT m.id, m.version, c.etag FROM meant m
    LEFT JOIN contents c ON c.flow_id = m.flow_id AND c.version = m.version) n
  WHERE t.id = n.id AND (t.desired_version, t.desired_etag) IS DISTINCT FROM (n.version, n.etag)`;
/** When a workflow is deleted, only the versions that devices still run are kept. */
const DELETE_REMOVED = `DELETE FROM edge_deployments t WHERE t.application_id = $1 AND t.device_id = ANY ($2::text[]) AND t.flow_id = $3
  AND t.desired_version IS NULL AND t.current_version IS NULL AND NOT EXISTS (SELECT FROM flows f WHERE f.id = $3)`;

/** Changes the desired versions of edge compute devices. */
@Injectable()
export class EdgeChangesRepository implements DeploymentRowStore {
  constructor(private readonly customNodes: EdgeCustomNodesRepository) {}

  async apply(task: DueTask, deviceIds: readonly string[], transaction: Transaction): Promise<void> {
    const { applicationId, change, source } = task;
    // Devices receive globals apart from workflows. The change is only signalled to them.
    if (change.type === 'globals') return;
    const entry = JSON.stringify(source ?? {});
    const of = [applicationId, deviceIds];
    const devices = await transaction.run(prepared(LOCK_DEVICES, of));
    await transaction.run(prepared(LOCK, of));
    if (change.type === 'release' && change.version !== null) {
      const ids = devices.filter(([, isMeant]) => isMeant === 't').map(([id]) => id);
      const rows = ids.map(() => newId());
      await transaction.run(
        prepared(RELEASE, [applicationId, ids, rows, change.flowId, change.version, entry]),
      );
    } else {
      const [condition, version, values] = conditionOf(change);
      await transaction.run(prepared(changeSql(condition, version), [...of, entry, ...values]));
    }
    await this.customNodes.settle(applicationId, deviceIds, entry, transaction);
    if (change.type === 'remove') await transaction.run(prepared(DELETE_REMOVED, [...of, change.flowId]));
  }
}

type ChangeCondition = [condition: string, version: string, values: unknown[]];

/** Returns SQL for the affected rows and their new version; parameters start at `$4`. */
function conditionOf(change: Exclude<DeploymentChange, { type: 'globals' }>): ChangeCondition {
  switch (change.type) {
    case 'release':
    case 'remove':
      return ['t.flow_id = $4', 'NULL::text', [change.flowId]];
    case 'replace':
      return [
        't.flow_id = $4 AND t.desired_version = $5',
        '$6::text',
        [change.flowId, change.oldVersion, change.version],
      ];
    case 'clear':
    case 'device':
      return ['true', 'NULL::text', []];
    case 'content':
      return [
        't.flow_id = $4 AND t.desired_version = coalesce($5, t.desired_version)',
        't.desired_version',
        [change.flowId, change.version],
      ];
  }
}
