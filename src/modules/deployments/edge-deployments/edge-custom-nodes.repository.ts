import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { newId } from '../../../platform/repositories/resource.js';
import { DEVELOP } from '../deployments/deployment-change.js';
import { loggedSql } from '../deployments/deployment.columns.js';
import { entrySql, etagSql, replaceSql } from './edge-changes.columns.js';

/** Versions that somebody has released to the devices. */
const RELEASED = `SELECT t.device_id, t.flow_id, t.desired_version AS version FROM edge_deployments t
  WHERE t.application_id = $1 AND t.device_id = ANY ($2::text[]) AND NOT t.is_dependency AND t.desired_version IS NOT NULL`;
/** Name of the version that a node executes. */
const NAMED = `coalesce(nullif(n.node #>> '{config,customNodeVersion}', ''), 'default')`;
/**
 * Custom nodes that released versions execute, directly or through others, with their versions. A device has one version of
 * a custom node: the one that was released to it, or else the newest of those that are executed.
 */
const NEEDED = `WITH RECURSIVE released AS MATERIALIZED (${RELEASED}),
  executed (root_id, root_version, flow_id, version) AS (
    SELECT DISTINCT r.flow_id, r.version, r.flow_id, r.version FROM released r
    UNION
    SELECT e.root_id, e.root_version, c.id, named.version FROM executed e
    JOIN flows f ON f.id = e.flow_id
    LEFT JOIN flow_versions v ON v.flow_id = f.id AND v.version = e.version
    CROSS JOIN LATERAL jsonb_array_elements(CASE WHEN v.id IS NULL THEN f.nodes ELSE v.nodes END) n (node)
    JOIN flows c ON c.id = lower(n.node #>> '{config,customNodeId}') AND c.application_id = $1
      AND c.flow_class = 'customNode' AND c.custom_node_supports ? 'edge'
    CROSS JOIN LATERAL (SELECT CASE ${NAMED} WHEN 'default' THEN coalesce(
        (SELECT d.version FROM flow_versions d WHERE d.id = c.default_version_id), '${DEVELOP}') ELSE ${NAMED} END) named (version)
    WHERE n.node ->> 'type' = 'CustomNodeExecuteNode' AND n.node #>> '{config,isInstance}' IS DISTINCT FROM 'true'
      AND (v.id IS NOT NULL OR e.version = '${DEVELOP}')),
  needed AS MATERIALIZED (SELECT DISTINCT ON (r.device_id, e.flow_id) r.device_id, e.flow_id, e.version
    FROM released r JOIN executed e ON e.root_id = r.flow_id AND e.root_version = r.version
    LEFT JOIN flow_versions v ON v.flow_id = e.flow_id AND v.version = e.version
    WHERE (v.id IS NOT NULL OR e.version = '${DEVELOP}')
      AND NOT EXISTS (SELECT FROM released o WHERE o.device_id = r.device_id AND o.flow_id = e.flow_id)
    ORDER BY r.device_id, e.flow_id, v.creation_date DESC NULLS FIRST, e.version)
  SELECT n.device_id, n.flow_id, n.version, c.etag FROM needed n
  JOIN (SELECT m.flow_id, m.version, e.etag FROM (SELECT DISTINCT flow_id, version FROM needed) m
    CROSS JOIN LATERAL (${etagSql('m.flow_id', 'm.version')}) e) c ON c.flow_id = n.flow_id AND c.version = n.version
  ORDER BY n.device_id, n.flow_id`;

/** A deployment that was removed becomes one of a dependency. */
const ADD = `INSERT INTO edge_deployments AS t (id, application_id, device_id, flow_id, flow_class, is_dependency, creation_date,
    last_updated, deleted_at, desired_version, desired_etag, logs)
  SELECT n.id, $1, d.id, n.flow_id, 'customNode', true, now(), now(), d.deleted_at, n.version, n.etag,
    jsonb_build_array(${entrySql('$7', ['NULL::text', 'n.version', 'NULL::text', 'n.etag'])})
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) n (device_id, flow_id, version, etag, id)
  JOIN devices d ON d.id = n.device_id AND d.device_class = 'edgeCompute' ORDER BY n.device_id, n.flow_id
  ${replaceSql('$7')}`;
const REMOVE = `UPDATE edge_deployments t SET last_updated = now(), desired_version = NULL, desired_etag = NULL,
    logs = ${loggedSql(entrySql('$5', ['t.desired_version', 'NULL::text', 't.desired_etag', 'NULL::text']), 't.logs')}
  WHERE t.application_id = $1 AND t.device_id = ANY ($2::text[]) AND t.is_dependency AND t.desired_version IS NOT NULL
    AND NOT EXISTS (SELECT FROM unnest($3::text[], $4::text[]) n (device_id, flow_id)
      WHERE n.device_id = t.device_id AND n.flow_id = t.flow_id)`;

/** Deploys the custom nodes that the workflows of gateways execute, for as long as one of them does. */
@Injectable()
export class EdgeCustomNodesRepository {
  /** Brings custom nodes of devices up to date with their workflows. The rows of the devices are locked. */
  async settle(
    applicationId: string,
    deviceIds: readonly string[],
    entry: string,
    transaction: Transaction,
  ): Promise<void> {
    const needed = await transaction.run(prepared(NEEDED, [applicationId, deviceIds]));
    const column = (position: number) => needed.map((row) => row[position]);
    const [devices, flows, versions, etags] = [0, 1, 2, 3].map(column);
    if (needed.length > 0) {
      const ids = needed.map(() => newId());
      await transaction.run(prepared(ADD, [applicationId, devices, flows, versions, etags, ids, entry]));
    }
    await transaction.run(prepared(REMOVE, [applicationId, deviceIds, devices, flows, entry]));
  }
}
