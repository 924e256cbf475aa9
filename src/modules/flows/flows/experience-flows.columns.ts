import type { FrozenRows } from '../../../platform/holdings/frozen.js';

/** Columns of a workflow that can differ between the development version and other versions. */
const GRAPH = ['triggers', 'nodes', 'globals', 'minimum_agent_version', 'custom_node_config', 'named_ids'];
const list = (columns: readonly string[], of?: string) =>
  columns.map((column) => (of ? `${of}.${column}` : column)).join(', ');
const AUTHOR_COLUMNS = [
  'creation_date',
  'last_updated',
  'created_by_id',
  'created_by_type',
  'last_updated_by_id',
  'last_updated_by_type',
  'version',
];

const DEVELOPED = `flows f ON f.application_id = e.application_id AND f.flow_class = 'experience' AND f.in_develop`;

/**
 * Copies experience workflows into workflow versions when a version of the experience is created; the versions have its
 * name. Workflows are locked until then, so that a concurrent deletion sees the new version. The copy reflects the
 * state at the time of the lock.
 */
export const FROZEN_FLOWS: FrozenRows = {
  name: 'flows',
  table: 'flows',
  lock: `SELECT f.id FROM e JOIN ${DEVELOPED} ORDER BY f.id FOR SHARE OF f`,
  freeze: `INSERT INTO flow_versions (id, ${list(AUTHOR_COLUMNS)}, application_id, flow_id, flow_class, enabled, ${list(GRAPH)})
    SELECT left(e.id, 8) || right(replace(gen_random_uuid()::text, '-', ''), 16), ${list(AUTHOR_COLUMNS, 'e')},
      e.application_id, f.id, f.flow_class, f.enabled, ${list(GRAPH, 'f')}
    FROM e JOIN ${DEVELOPED} FOR SHARE OF f`,
  thaw: [
    `UPDATE flows f SET in_develop = true, enabled = v.enabled, last_updated = now(),
       ${GRAPH.map((column) => `${column} = v.${column}`).join(', ')}
     FROM e JOIN flow_versions v ON v.application_id = e.application_id AND v.version = e.version
     WHERE f.id = v.flow_id AND f.flow_class = 'experience'`,
  ],
};
