import type { Computed } from '../../../platform/database/row-shape.js';

/**
 * SQL that selects workflows of which a node, in the workflow itself or in a version, executes the custom node `t`;
 * with their application and organization. Ignores workflows of other instances, which cannot execute it.
 */
const USERS = `SELECT u.flow_id, a.id AS application_id, o.id AS org_id, o.name, o.icon_color
  FROM (SELECT f.id AS flow_id, f.application_id FROM flows f WHERE f.named_ids @> ARRAY[t.id]
    UNION SELECT v.flow_id, v.application_id FROM flow_versions v JOIN flows f ON f.id = v.flow_id
    WHERE v.named_ids @> ARRAY[t.id]) u
  JOIN applications a ON a.id = u.application_id AND a.deleted_at IS NULL
  LEFT JOIN orgs o ON a.owner_type = 'organization' AND o.id = a.owner_id AND o.deleted_at IS NULL
  LEFT JOIN users w ON a.owner_type = 'user' AND w.id = a.owner_id
  WHERE coalesce(o.instance_id, w.instance_id) = t.instance_id`;

/** SQL condition: a workflow, or another custom node of the instance, executes the custom node `t`. */
export const IS_USED = `(EXISTS (${USERS}) OR EXISTS (SELECT FROM instance_custom_nodes n
  WHERE n.instance_id = t.instance_id AND n.id <> t.id
    AND n.nodes @> jsonb_build_array(jsonb_build_object('config', jsonb_build_object('customNodeId', t.id)))))`;

/** Computed properties of a custom node. */
export const CUSTOM_NODE_COMPUTED: readonly Computed[] = [
  {
    property: 'stats',
    kind: 'json',
    // Runs are recorded per workflow, not per custom node.
    sql: `json_build_object('runCount', 0, 'errorCount', 0)`,
  },
  {
    property: 'usage',
    kind: 'json',
    sql: `(SELECT coalesce(json_object_agg(coalesce(g.org_id, 'sandbox'), json_strip_nulls(json_build_object(
        'orgName', g.name, 'orgIconColor', g.icon_color, 'appCount', g.apps, 'flowCount', g.flows))), '{}')
      FROM (SELECT u.org_id, u.name, u.icon_color, count(DISTINCT u.application_id) AS apps, count(*) AS flows
        FROM (${USERS}) u GROUP BY 1, 2, 3) g)`,
  },
];
