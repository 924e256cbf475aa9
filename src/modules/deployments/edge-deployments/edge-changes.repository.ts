import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { newId } from '../../../platform/repositories/resource.js';
import type { DeploymentRowStore } from '../deployments/deployer.js';
import { DEVELOP, type DueTask } from '../deployments/deployment-change.js';
import { loggedSql, CURRENT_TIMESTAMP } from '../deployments/deployment.columns.js';

/** SQL for the ETag of a workflow version, `NULL` if it does not exist. */
const etagSql = (flow: string, version: string): string => {
  const of = (column: string) => `CASE WHEN v.id IS NULL THEN f.${column} ELSE v.${column} END`;
  const parts = ['triggers', 'nodes', 'globals', 'custom_node_config'].map(
    (column) => `(${of(column)})::text`,
  );
  return `SELECT md5(concat_ws(chr(10), f.name, f.enabled AND ${of('enabled')}, ${parts.join(', ')})) AS etag
    FROM flows f
    LEFT JOIN flow_versions v ON v.flow_id = f.id AND v.version = ${version}
    WHERE f.id = ${flow} AND (v.id IS NOT NULL OR ${version} = '${DEVELOP}')`;
};

const LOCK_DEVICES = `SELECT d.id FROM devices d WHERE d.application_id = $1 AND d.id = ANY ($2::text[])
  AND d.device_class = 'edgeCompute' AND d.deleted_at IS NULL ORDER BY d.id FOR SHARE`;
/** SQL for a log entry of a change with both versions and ETags. */
const entrySql = (base: string, [oldVersion, newVersion, oldEtag, newEtag]: readonly string[]) =>
  `${base}::jsonb || jsonb_build_object('changeType', 'desired', 'date', ${CURRENT_TIMESTAMP}, 'previousValue', ${oldVersion}, 'newValue', ${newVersion})
    || jsonb_strip_nulls(jsonb_build_object('previousEtag', ${oldEtag}, 'newEtag', ${newEtag}))`;

/** Rows are locked in order of device, as in all transactions. */
const RELEASE = `INSERT INTO edge_deployments AS t (id, application_id, device_id, flow_id, flow_class, creation_date, last_updated,
    desired_version, desired_etag, logs)
  SELECT n.id, $1, n.device_id, f.id, f.flow_class, now(), now(), $5, e.etag,
    jsonb_build_array(${entrySql('$6', ['NULL::text', '$5::text', 'NULL::text', 'e.etag'])})
  FROM flows f CROSS JOIN LATERAL (${etagSql('$4', '$5::text')}) e CROSS JOIN unnest($3::text[], $2::text[]) n (id, device_id)
  WHERE f.id = $4 ORDER BY n.device_id
  ON CONFLICT (device_id, flow_id) DO UPDATE SET last_updated = now(), desired_version = excluded.desired_version,
    desired_etag = excluded.desired_etag,
    logs = ${loggedSql(
      entrySql('$6', [
        't.desired_version',
        'excluded.desired_version',
        't.desired_etag',
        'excluded.desired_etag',
      ]),
      't.logs',
    )}
  WHERE (t.desired_version, t.desired_etag) IS DISTINCT FROM (excluded.desired_version, excluded.desired_etag)`;

/**
 * Updates rows of the devices `$2` that meet a condition to a version given as SQL over `t`; `$3` is the base of the
 * entry.
 */
const change = (condition: string, version: string) => `WITH meant AS MATERIALIZED (
    SELECT t.id, t.flow_id, ${version} AS version FROM edge_deployments t
    WHERE t.application_id = $1 AND t.device_id = ANY ($2::text[]) AND t.desired_version IS NOT NULL AND ${condition}
    ORDER BY t.device_id, t.flow_id FOR NO KEY UPDATE),
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
  async apply(task: DueTask, deviceIds: readonly string[], transaction: Transaction): Promise<void> {
    const { applicationId, change: asked, source } = task;
    const entry = JSON.stringify(source ?? {});
    if (asked.type === 'release' && asked.version !== null) {
      const devices = await transaction.run(prepared(LOCK_DEVICES, [applicationId, deviceIds]));
      const ids = devices.map(([id]) => id);
      const rows = ids.map(() => newId());
      await transaction.run(
        prepared(RELEASE, [applicationId, ids, rows, asked.flowId, asked.version, entry]),
      );
      return;
    }
    const [condition, version, values] = conditionOf(asked);
    const of = [applicationId, deviceIds];
    await transaction.run(prepared(change(condition, version), [...of, entry, ...values]));
    if (asked.type === 'remove') await transaction.run(prepared(DELETE_REMOVED, [...of, asked.flowId]));
  }
}

type ChangeCondition = [condition: string, version: string, values: unknown[]];

/** Returns SQL for the affected rows and their new version; parameters start at `$4`. */
function conditionOf(change: DueTask['change']): ChangeCondition {
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
    // Devices receive globals apart from workflows. The change is only signalled to them.
    case 'globals':
      return ['false', 't.desired_version', []];
  }
}
