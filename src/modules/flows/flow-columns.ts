import type { Computed } from '../../platform/database/row-shape.js';
import { USERS_OF_NODE } from './custom-node-users.js';

const RECENT = `r.requested_at >= now() - interval '24 hours'`;
const COUNTS = ['count(*)', 'count(*) FILTER (WHERE r.paths_failed > 0)'] as const;

/** What is shown of a workflow beside its own columns. */
export const FLOW_COMPUTED: readonly Computed[] = [
  {
    property: 'stats',
    kind: 'json',
    // Runs of versions that are gone count in the whole, but there is no name to show them under.
    sql: `(SELECT json_build_object('runCount', coalesce(sum(c.runs), 0), 'errorCount', coalesce(sum(c.errors), 0),
      'byVersion', coalesce(json_object_agg(c.version, json_build_object('runCount', c.runs, 'errorCount', c.errors))
        FILTER (WHERE c.version IS NOT NULL), '{}'))
      FROM (SELECT CASE WHEN r.flow_version_id IS NULL THEN 'develop' ELSE v.version END AS version,
          ${COUNTS[0]} AS runs, ${COUNTS[1]} AS errors
        FROM flow_runs r LEFT JOIN flow_versions v ON v.id = r.flow_version_id
        WHERE r.flow_id = t.id AND ${RECENT} GROUP BY 1) c)`,
  },
  {
    property: 'customNodeUseCount',
    kind: 'number',
    sql: `CASE WHEN t.flow_class = 'customNode' THEN (SELECT count(*) FROM (${USERS_OF_NODE}) users) END`,
  },
  { property: 'deletedInDevelop', kind: 'boolean', sql: 'nullif(NOT t.in_develop, false)' },
];

const versionStats = (isOfVersion: string): Computed => ({
  property: 'stats',
  kind: 'json',
  sql: `(SELECT json_build_object('runCount', ${COUNTS[0]}, 'errorCount', ${COUNTS[1]})
    FROM flow_runs r WHERE ${isOfVersion} AND ${RECENT})`,
});

/** What is shown of a version beside its own columns. */
export const FLOW_VERSION_COMPUTED: readonly Computed[] = [
  versionStats('r.flow_id = t.flow_id AND r.flow_version_id = t.id'),
];

/** The same of the version that is being developed, of the workflow `t`. */
export const DEVELOPED_COMPUTED: readonly Computed[] = [
  versionStats('r.flow_id = t.id AND r.flow_version_id IS NULL'),
];
