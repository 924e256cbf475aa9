import { DEVELOP } from '../deployments/deployment-change.js';
import { CURRENT_TIMESTAMP, loggedSql } from '../deployments/deployment.columns.js';

/** SQL for the ETag of a workflow version, `NULL` if it does not exist. */
export const etagSql = (flow: string, version: string): string => {
  const of = (column: string) => `CASE WHEN v.id IS NULL THEN f.${column} ELSE v.${column} END`;
  const parts = ['triggers', 'nodes', 'globals', 'custom_node_config'].map(
    (column) => `(${of(column)})::text`,
  );
  return `SELECT md5(concat_ws(chr(10), f.name, f.enabled AND ${of('enabled')}, ${parts.join(', ')})) AS etag
    FROM flows f
    LEFT JOIN flow_versions v ON v.flow_id = f.id AND v.version = ${version}
    WHERE f.id = ${flow} AND (v.id IS NOT NULL OR ${version} = '${DEVELOP}')`;
};

/** SQL for a log entry of a change with both versions and ETags. */
export const entrySql = (base: string, [oldVersion, newVersion, oldEtag, newEtag]: readonly string[]) =>
  `${base}::jsonb || jsonb_build_object('changeType', 'desired', 'date', ${CURRENT_TIMESTAMP}, 'previousValue', ${oldVersion}, 'newValue', ${newVersion})
    || jsonb_strip_nulls(jsonb_build_object('previousEtag', ${oldEtag}, 'newEtag', ${newEtag}))`;

/** SQL that changes a deployment that exists already to the version of the inserted one, and logs that. */
export const replaceSql = (base: string): string => `ON CONFLICT (device_id, flow_id) DO UPDATE
  SET last_updated = now(), is_dependency = excluded.is_dependency, desired_version = excluded.desired_version,
    desired_etag = excluded.desired_etag,
    logs = ${loggedSql(
      entrySql(base, [
        't.desired_version',
        'excluded.desired_version',
        't.desired_etag',
        'excluded.desired_etag',
      ]),
      't.logs',
    )}
  WHERE (t.desired_version, t.desired_etag, t.is_dependency)
    IS DISTINCT FROM (excluded.desired_version, excluded.desired_etag, excluded.is_dependency)`;
