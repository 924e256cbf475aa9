/**
 * SQL of the workflows, `id` and `name`, that execute a custom node of the application of `t`, be it in one version only.
 * `node` is the SQL of its id, `version` of the version that they ask for by name, where only that one counts.
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

/** Who executes the custom node `t`, a row of `flows`. */
export const USERS_OF_NODE = usersOf('t.id');

/** Who executes the version `t`, a row of `flow_versions`, of a custom node. */
export const USERS_OF_NODE_VERSION = usersOf('t.flow_id', 't.version');
