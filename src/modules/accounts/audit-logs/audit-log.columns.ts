/** Entries with a lower ID are removed. An ID begins with its creation time in seconds, in hexadecimal. */
export const RETENTION_START_ID = `to_hex(extract(epoch FROM now() - interval '1 year')::bigint)`;

/**
 * Returns the condition that a row `t` of a log matches a filter. `filter` is the parameter with the filter, already
 * validated against its schema. The SQL is the same for every filter, so the statement can be prepared.
 */
export function filterCondition(filter: string): string {
  const json = `${filter}::jsonb`;
  const conditions = [
    ...(['actor', 'primaryTarget', 'secondaryTarget'] as const).map((member) => {
      const column = COLUMNS[member];
      return anyOf(json, member, {
        id: `lower(e.id) = t.${column}_id`,
        type: `e.type = t.${column}_type`,
        name: `lower(e.name) = lower(t.${column}_name)`,
      });
    }),
    anyOf(json, 'request', {
      resource: 'e.resource = t.request_resource',
      action: 'e.action = t.request_action',
    }),
    `(${json} -> 'responseCode' IS NULL OR ${json} -> 'responseCode' @> to_jsonb(t.response_status))`,
  ];
  return conditions.join(' AND ');
}

const COLUMNS = { actor: 'actor', primaryTarget: 'primary_target', secondaryTarget: 'secondary_target' };

/** Returns the condition that the list is absent or that all given parts of one of its entries match. */
function anyOf(json: string, member: string, parts: Readonly<Record<string, string>>): string {
  const columns = Object.keys(parts).map((part) => `${part} text`);
  const matches = Object.entries(parts).map(([part, match]) => `(e.${part} IS NULL OR ${match})`);
  return `(${json} -> '${member}' IS NULL OR EXISTS (
    SELECT FROM jsonb_to_recordset(${json} -> '${member}') AS e(${columns.join(', ')}) WHERE ${matches.join(' AND ')}))`;
}
