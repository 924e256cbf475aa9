import { Injectable } from '@nestjs/common';
import type { Statement, Transaction } from '../../../platform/database/database.js';
import { prepared } from '../../../platform/database/statements.js';
import { newId } from '../../../platform/repositories/resource.js';
import type { DeploymentRowStore } from '../deployments/deployer.js';
import type { ChangeSource, DueTask } from '../deployments/deployment-change.js';
import { loggedSql, CURRENT_TIMESTAMP } from '../deployments/deployment.columns.js';
import { NO_BUNDLE } from './embedded-deployment.resource.js';

/** Number of recent bundles stored per device; an older one is reported as unknown. */
const MAX_BUNDLES = 10;

/** Locks devices in order of ID before reading their deployments. */
const TARGETS = `SELECT d.id FROM devices d WHERE d.application_id = $1 AND d.id = ANY ($2::text[])
  AND d.device_class = 'embedded' AND d.deleted_at IS NULL ORDER BY d.id FOR SHARE`;
const CREATE = `INSERT INTO embedded_deployments (id, application_id, device_id, creation_date, last_updated,
    current_bundle_version, desired_bundle_version, unknown_bundle, logs)
  SELECT n.id, $1, n.device_id, now(), now(), '${NO_BUNDLE}', '${NO_BUNDLE}', false, '[]'
  FROM unnest($2::text[], $3::text[]) n (id, device_id) ORDER BY n.device_id
  ON CONFLICT (device_id) DO NOTHING`;
const LOCK = `SELECT t.device_id FROM embedded_deployments t
  WHERE t.application_id = $1 AND t.device_id = ANY ($2::text[]) ORDER BY t.device_id FOR NO KEY UPDATE`;

/** Returns the changed devices; `true` if the workflow is new to the device. */
const RELEASE = `WITH old AS (SELECT p.device_id FROM embedded_deployment_flows p
    WHERE p.device_id = ANY ($2::text[]) AND p.flow_id = $3 AND p.desired_version IS NOT NULL),
  changed AS (INSERT INTO embedded_deployment_flows AS p (application_id, device_id, flow_id, desired_version)
    SELECT $1, n.device_id, $3, $4 FROM unnest($2::text[]) n (device_id)
    ON CONFLICT (device_id, flow_id) DO UPDATE SET desired_version = excluded.desired_version
      WHERE p.desired_version IS DISTINCT FROM excluded.desired_version RETURNING p.device_id)
  SELECT c.device_id, c.device_id NOT IN (SELECT o.device_id FROM old o) FROM changed c`;
const REPLACE = `UPDATE embedded_deployment_flows p SET desired_version = $5
  WHERE p.application_id = $1 AND p.device_id = ANY ($2::text[]) AND p.flow_id = $3 AND p.desired_version = $4
    AND p.desired_version <> $5 RETURNING p.device_id, false`;
/** A removed workflow is kept as long as the device runs it. */
const drop = (
  condition: string,
) => `WITH meant AS (SELECT p.device_id, p.flow_id, p.current_version FROM embedded_deployment_flows p
    WHERE p.application_id = $1 AND p.device_id = ANY ($2::text[]) AND p.desired_version IS NOT NULL AND ${condition}),
  gone AS (DELETE FROM embedded_deployment_flows p USING meant m
    WHERE p.device_id = m.device_id AND p.flow_id = m.flow_id AND m.current_version IS NULL),
  kept AS (UPDATE embedded_deployment_flows p SET desired_version = NULL FROM meant m
    WHERE p.device_id = m.device_id AND p.flow_id = m.flow_id AND m.current_version IS NOT NULL)
  SELECT DISTINCT m.device_id, false FROM meant m`;
const affected = (condition: string) => `SELECT DISTINCT p.device_id, false FROM embedded_deployment_flows p
  WHERE p.application_id = $1 AND p.device_id = ANY ($2::text[]) AND p.desired_version IS NOT NULL AND ${condition}`;

/**
 * Sets a new desired bundle, or none. Its version is the Unix time in milliseconds, incremented if necessary to exceed
 * the previous one.
 */
const SET_DESIRED = `UPDATE embedded_deployments t SET last_updated = now(), last_bundle = n.bundle,
    desired_bundle_version = n.version,
    bundles = CASE WHEN n.flows IS NULL THEN t.bundles ELSE jsonb_path_query_array(
      jsonb_build_array(jsonb_build_object('version', n.version, 'flows', n.flows)) || t.bundles, '$[0 to ${MAX_BUNDLES - 1}]') END,
    logs = ${loggedSql(
      `$4::jsonb || jsonb_build_object('date', ${CURRENT_TIMESTAMP}, 'newBundle', n.version, 'updateType',
        CASE WHEN n.is_new THEN 'newFlow' ELSE $5 END)`,
      't.logs',
    )}
  FROM (SELECT c.device_id, c.is_new, b.bundle, f.flows,
      CASE WHEN f.flows IS NULL THEN '${NO_BUNDLE}' ELSE b.bundle::text END AS version
    FROM unnest($2::text[], $3::boolean[]) c (device_id, is_new)
    JOIN embedded_deployments d ON d.device_id = c.device_id AND d.application_id = $1
    CROSS JOIN LATERAL (SELECT greatest(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint, d.last_bundle + 1) AS bundle) b
    CROSS JOIN LATERAL (SELECT jsonb_object_agg(p.flow_id, p.desired_version) AS flows FROM embedded_deployment_flows p
      WHERE p.device_id = c.device_id AND p.desired_version IS NOT NULL) f) n
  WHERE t.device_id = n.device_id`;

/** Effect of a change on the workflows of devices, and its log entry. */
interface ChangeEffect {
  statement: Statement;
  updateType: string;
  /** Changed workflow, if the change concerns a single one. */
  flow?: { updateFlowId: string; desiredVersion?: string | null };
}

/** Changes the desired versions of embedded devices. */
@Injectable()
export class EmbeddedChangesRepository implements DeploymentRowStore {
  async apply(task: DueTask, deviceIds: readonly string[], transaction: Transaction): Promise<void> {
    const { applicationId, change, source } = task;
    const brings = change.type === 'release' && change.version !== null;
    if (brings) {
      deviceIds = await idsOf(prepared(TARGETS, [applicationId, deviceIds]), transaction);
      const ids = deviceIds.map(() => newId());
      await transaction.run(prepared(CREATE, [applicationId, ids, deviceIds]));
    }
    const locked = await idsOf(prepared(LOCK, [applicationId, deviceIds]), transaction);
    if (locked.length === 0) return;
    const { statement, updateType, flow } = effectOf(task, locked);
    const changed = await transaction.run(statement);
    if (changed.length === 0) return;
    const entry = { changeType: 'desired', ...sourceOf(source), ...flow };
    const ids = changed.map(([id]) => id);
    const isNew = changed.map((row) => row[1] === 't');
    await transaction.run(
      prepared(SET_DESIRED, [applicationId, ids, isNew, JSON.stringify(entry), updateType]),
    );
  }
}

const idsOf = async (statement: Statement, transaction: Transaction): Promise<string[]> =>
  (await transaction.run(statement)).map(([id]) => id!);

const sourceOf = (source: ChangeSource | null) => source ?? {};

function effectOf({ applicationId, change }: DueTask, deviceIds: readonly string[]): ChangeEffect {
  const of = [applicationId, deviceIds];
  switch (change.type) {
    case 'release':
    case 'replace': {
      const { flowId, version } = change;
      const flow = { updateFlowId: flowId, desiredVersion: version };
      const old = change.type === 'replace' ? change.oldVersion : undefined;
      if (version === null) {
        const condition = old === undefined ? 'p.flow_id = $3' : 'p.flow_id = $3 AND p.desired_version = $4';
        const values = [...of, flowId, ...(old === undefined ? [] : [old])];
        return { statement: prepared(drop(condition), values), updateType: 'removeFlow', flow };
      }
      const statement =
        old === undefined
          ? prepared(RELEASE, [...of, flowId, version])
          : prepared(REPLACE, [...of, flowId, old, version]);
      return { statement, updateType: 'replaceFlow', flow };
    }
    case 'remove': {
      const flow = { updateFlowId: change.flowId, desiredVersion: null };
      return {
        statement: prepared(drop('p.flow_id = $3'), [...of, change.flowId]),
        updateType: 'removeFlow',
        flow,
      };
    }
    case 'clear':
    case 'device':
      return { statement: prepared(drop('true'), of), updateType: change.type };
    case 'content': {
      const { flowId, version } = change;
      const condition = 'p.flow_id = $3 AND p.desired_version = coalesce($4, p.desired_version)';
      const statement = prepared(affected(condition), [...of, flowId, version]);
      const flow = { updateFlowId: flowId, ...(version === null ? {} : { desiredVersion: version }) };
      return { statement, updateType: 'replaceFlow', flow };
    }
    case 'globals':
      return { statement: prepared(affected('true'), of), updateType: 'globals' };
  }
}
