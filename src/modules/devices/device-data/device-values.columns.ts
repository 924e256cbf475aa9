/** SQL expression for the value of a point `p` as JSON. */
export const VALUE_SQL = 'coalesce(to_json(p.number)::text, to_json(p.boolean)::text, to_json(p.text)::text)';

/** Returns an SQL expression for a time in milliseconds since 1970, in the format of responses. */
export const isoSql = (time: string): string =>
  `to_char(timestamp 'epoch' + ${time} * interval '1 millisecond', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Parameters of a value query as SQL: times in milliseconds since 1970, both inclusive, and names or `NULL` for all.
 */
export interface ValueParameters {
  start: string;
  end: string;
  names: string;
}

/**
 * Returns SQL for the newest value within a time range of each attribute of the device `t`: `name`, `time`, and `value`
 * as JSON. The newest values of a device are in one row. Points are read only if that value is newer than the time
 * range or too long for the row.
 */
export const newestSql = ({ start, end, names }: ValueParameters): string => `SELECT a.name, n.time, n.value
  FROM (SELECT s.last_values FROM device_states s WHERE s.device_id = t.id OFFSET 0) s
  CROSS JOIN LATERAL jsonb_each(s.last_values) l (number, newest)
  CROSS JOIN LATERAL (SELECT (l.newest->>0)::bigint AS time, (l.newest->1)::text AS value OFFSET 0) k
  JOIN jsonb_each_text(t.attribute_numbers) a (name, number) ON a.number = l.number
  CROSS JOIN LATERAL (
    SELECT k.time, k.value WHERE k.value IS NOT NULL AND k.time BETWEEN ${start} AND ${end}
    UNION ALL (SELECT p.time, ${VALUE_SQL} FROM device_points p
      WHERE (k.time > ${end} OR k.value IS NULL) AND k.time >= ${start} AND p.application_id = t.application_id
        AND p.device_id = t.id AND p.attribute = l.number::int AND p.time BETWEEN ${start} AND ${end}
      ORDER BY p.time DESC LIMIT 1)) n
  WHERE ${names}::text[] IS NULL OR a.name = ANY (${names}::text[])`;

/** SQL that aggregates such rows `v` into a JSON object by name, each value with its time. */
export const COMPOSITE_SQL = `'{' || coalesce(string_agg(
  '"' || v.name || '":{"time":"' || ${isoSql('v.time')} || '","value":' || v.value || '}', ','), '') || '}'`;

/** SQL that aggregates the same rows into values by name, with the time of the newest. */
export const LAST_SQL = `'{"data":{' || string_agg('"' || v.name || '":' || v.value, ',') || '},"time":"'
  || ${isoSql('max(v.time)')} || '"}'`;
