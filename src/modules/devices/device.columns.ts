import type { ApplicationAccess } from '../../platform/access/request.js';
import type { Computed } from '../../platform/database/row-shape.js';

/** How many systems a device may stand below. */
export const MOST_ANCESTORS = 100;

/** SQL of the ids of the systems above the device `t`, the nearest first, up to one that is deleted. */
const ANCESTORS = `WITH RECURSIVE above (id, parent_id, level) AS (
    SELECT p.id, p.parent_id, 1 FROM devices p WHERE p.id = t.parent_id AND p.deleted_at IS NULL
    UNION ALL SELECT p.id, p.parent_id, a.level + 1 FROM above a CROSS JOIN LATERAL (
      SELECT d.id, d.parent_id FROM devices d WHERE d.id = a.parent_id AND d.deleted_at IS NULL OFFSET 0) p
      WHERE a.level < ${MOST_ANCESTORS})
  SELECT json_agg(a.id ORDER BY a.level) FROM above a`;

/** What is shown of a device beside its own columns. */
export const DEVICE_COMPUTED: readonly Computed[] = [
  {
    property: 'ancestorIds',
    kind: 'json',
    sql: `CASE WHEN t.parent_id IS NULL THEN '[]' ELSE coalesce((${ANCESTORS}), '[]') END`,
  },
  { property: 'connectionInfo', kind: 'json', sql: `'{"connected":null}'` },
];

/**
 * The condition that the caller reaches the device `t` of an application that they see: `true` where they reach all of its
 * devices. What it binds is added to `values`. It is two parameters whatever they are, so that a statement with it can stay
 * prepared.
 */
export function reachSql({ devices }: Pick<ApplicationAccess, 'devices'>, values: unknown[]): string {
  if (!devices) return 'true';
  const ids = `$${values.push([...devices.deviceIds])}::text[]`;
  const tags = `$${values.push(JSON.stringify(devices.deviceTags))}::jsonb`;
  return `(t.id = ANY (${ids}) OR EXISTS (SELECT FROM jsonb_to_recordset(${tags}) w (key text, value text)
    JOIN device_tags d ON d.device_id = t.id AND d.key = coalesce(w.key, d.key) AND d.value = coalesce(w.value, d.value)))`;
}
