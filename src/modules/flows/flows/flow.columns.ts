import type { Computed } from '../../../platform/database/row-shape.js';
import { USERS_OF_NODE } from './custom-node-users.columns.js';

const DAY_AGO = `now() - interval '24 hours'`;
/** End of the hour that is only partly within the last 24 hours. */
const EDGE = `(date_trunc('hour', ${DAY_AGO}, 'UTC') + interval '1 hour')`;

/**
 * Returns SQL of the runs in the last 24 hours, to the minute: full hours, the minutes before them, and deltas that are
 * not aggregated yet. `meant` is the condition on a row of sums.
 */
const recent = (meant: (row: string) => string): string =>
  [
    ['flow_run_sums', `AND s.minutes = 60 AND s.until > ${EDGE}`],
    ['flow_run_sums', `AND s.minutes = 1 AND s.until > ${DAY_AGO} AND s.until <= ${EDGE}`],
    ['flow_run_deltas', `AND s.until > ${DAY_AGO}`],
  ]
    .map(
      ([table, time]) =>
        `SELECT s.flow_version_id, s.runs, s.failed_runs FROM ${table} s WHERE ${meant('s')} ${time}`,
    )
    .join(' UNION ALL ');

const countsOf = (row: string) =>
  `'runCount', coalesce(sum(${row}.runs), 0), 'errorCount', coalesce(sum(${row}.failed_runs), 0)`;

/** Computed properties of a workflow. */
export const FLOW_COMPUTED: readonly Computed[] = [
  {
    property: 'stats',
    kind: 'json',
    // Runs of deleted versions count in the total, but have no name in `byVersion`.
    sql: `(SELECT json_build_object(${countsOf('g')}, 'byVersion', coalesce(json_object_agg(g.version,
        json_build_object('runCount', g.runs, 'errorCount', g.failed_runs)) FILTER (WHERE g.version IS NOT NULL), '{}'))
      FROM (SELECT sum(c.runs) AS runs, sum(c.failed_runs) AS failed_runs, CASE WHEN c.flow_version_id = '' THEN 'develop'
          ELSE (SELECT v.version FROM flow_versions v WHERE v.id = c.flow_version_id) END AS version
        FROM (${recent((row) => `${row}.flow_id = t.id`)}) c GROUP BY c.flow_version_id) g)`,
  },
  {
    property: 'customNodeUseCount',
    kind: 'number',
    sql: `CASE WHEN t.flow_class = 'customNode' THEN (SELECT count(*) FROM (${USERS_OF_NODE}) users) END`,
  },
  { property: 'deletedInDevelop', kind: 'boolean', sql: 'nullif(NOT t.in_develop, false)' },
];

const versionStats = (meant: (row: string) => string): Computed => ({
  property: 'stats',
  kind: 'json',
  sql: `(SELECT json_build_object(${countsOf('c')}) FROM (${recent(meant)}) c)`,
});

/** Computed properties of a version. */
export const FLOW_VERSION_COMPUTED: readonly Computed[] = [
  versionStats((row) => `${row}.flow_id = t.flow_id AND ${row}.flow_version_id = t.id`),
  {
    property: 'versions',
    kind: 'json',
    sql: `CASE WHEN t.flow_class = 'experience' THEN json_build_array(t.version) END`,
  },
];

/** Computed properties of the development version of the workflow `t`. */
export const DEVELOPED_COMPUTED: readonly Computed[] = [
  versionStats((row) => `${row}.flow_id = t.id AND ${row}.flow_version_id = ''`),
];
