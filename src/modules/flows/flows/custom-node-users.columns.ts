/**
 * Returns SQL that selects `id` and `name` of the workflows that execute a custom node of the application of `t`, in
 * any version. `node` is the SQL of its ID. `version` is the SQL of a version name; if set, only nodes that name this
 * version match.
 */
function usersOf(node: string, version?: string): string {
  const asked = `jsonb_build_array(jsonb_build_object('config',
    jsonb_build_object('customNodeId', ${node}, 'customNodeVersion', ${version})))`;
  const executes = (row: string) =>
    `${row}.application_id = t.application_id AND ${row}.named_ids @> ARRAY[${node}]` +
    (version === undefined ? '' : ` AND ${row}.nodes @> ${asked}`);
  return `SELECT u.id, u.name FROM flows u WHERE ${executes('u')} AND u.id <> ${node}
    UNION SELECT u.id, u.name FROM flow_versions v JOIN flows u ON u.id = v.flow_id
    WHERE ${executes('v')} AND v.flow_id <> ${node}`;
}

/** SQL of the workflows that execute the custom node `t`, a row of `flows`. */
export const USERS_OF_NODE = usersOf('t.id');

/** SQL of the workflows that execute the version `t` of a custom node, a row of `flow_versions`. */
export const USERS_OF_NODE_VERSION = usersOf('t.flow_id', 't.version');
