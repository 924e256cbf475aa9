import { isoDate, type Computed } from '../../../platform/database/row-shape.js';

/** Maximum number of systems above a device. */
export const MAX_ANCESTORS = 100;

/** SQL for the systems above the device `t` with their distance from it, up to the first deleted one. */
export const ANCESTORS = `WITH RECURSIVE above (id, parent_id, level) AS (
    SELECT p.id, p.parent_id, 1 FROM devices p WHERE p.id = t.parent_id AND p.deleted_at IS NULL
    UNION ALL SELECT p.id, p.parent_id, a.level + 1 FROM above a CROSS JOIN LATERAL (
      SELECT d.id, d.parent_id FROM devices d WHERE d.id = a.parent_id AND d.deleted_at IS NULL OFFSET 0) p
      WHERE a.level < ${MAX_ANCESTORS})
  SELECT a.id, a.level FROM above a`;

/** Returns SQL for the connection status and its time, as text separated by a space; empty if it was never reported. */
const connectionSql = (device: string): string =>
  `coalesce((SELECT s.connected || ' ' || coalesce(s.connection_time::text, '') FROM device_states s
  WHERE s.device_id = ${device}), '')`;

/** Returns a computed property with the connection status of a device; `device` is SQL for its ID. */
export const connectionOf = (device: string, property: string): Computed => ({
  property,
  kind: 'json',
  sql: connectionSql(device),
  write: connectionInfo,
});

function connectionInfo(text: string): string {
  const [connected = '', ...time] = text.split(' ');
  const since = time.join(' ');
  return `{"connected":${connected || 'null'}${since ? `,"time":"${isoDate(since)}"` : ''}}`;
}

/** Computed properties of a device, and columns with several forms. */
export const DEVICE_COMPUTED: readonly Computed[] = [
  { property: 'tags', kind: 'json', sql: 't.tags' },
  { property: 'attributes', kind: 'json', sql: 't.attributes' },
  {
    property: 'ancestorIds',
    kind: 'json',
    sql: `CASE WHEN t.parent_id IS NULL THEN '[]'
      ELSE coalesce((SELECT json_agg(a.id ORDER BY a.level) FROM (${ANCESTORS}) a), '[]') END`,
  },
  connectionOf('t.id', 'connectionInfo'),
];
