/** Milliseconds. */
export const HOUR = 3_600_000;

/** What is known of an hour of an attribute, `SUMMED` its SQL over points `p` in the order of time. */
export const HOUR_COLUMNS = 'count, first_time, last_time, first, last, min, max, sum, squares';
const SUMMED = `count(*)::int AS count, min(p.time) AS first_time, max(p.time) AS last_time,
  (array_agg(p.number))[1] AS first, (array_agg(p.number))[count(*)] AS last, min(p.number) AS min, max(p.number) AS max,
  sum(p.number) AS sum, regr_sxx(p.number, p.number) AS squares`;

/** SQL of points `p` added up by the hour; `points` selects them with the columns that are used here. */
export const summedSql = (points: string): string => `SELECT p.application_id, p.device_id, p.attribute,
    p.time - p.time % ${HOUR} AS hour, ${SUMMED}
  FROM (${points} ORDER BY p.application_id, p.device_id, p.attribute, p.time) p GROUP BY 1, 2, 3, 4`;

const qualified = (row: string) =>
  HOUR_COLUMNS.split(', ')
    .map((column) => `${row}.${column}`)
    .join(', ');

/**
 * SQL of the whole hours of some attributes, in no order: `device_id`, `attribute`, `hour` and `HOUR_COLUMNS`. They are read from
 * what was added up, and those that are due from their points, so that they are exact at any moment. All that is passed is SQL:
 * `wanted` selects rows of `(device_id, attribute)`; hours are those from `from`, which begins one, to before `to`.
 */
export function hoursSql(of: { application: string; wanted: string; from: string; to: string }): string {
  const { application, wanted, from, to } = of;
  const within = (row: string) =>
    `${row}.application_id = ${application} AND ${row}.device_id = w.device_id AND ${row}.hour >= ${from} AND ${row}.hour < ${to}`;
  const points = `SELECT p.* FROM (${wanted}) w
    JOIN LATERAL (SELECT d.hour FROM device_hours_due d WHERE ${within('d')} OFFSET 0) d ON true
    JOIN LATERAL (SELECT p.application_id, p.device_id, p.attribute, p.time, p.number FROM device_points p
      WHERE p.application_id = ${application} AND p.device_id = w.device_id AND p.attribute = w.attribute
        AND p.time >= d.hour AND p.time < d.hour + ${HOUR} OFFSET 0) p ON true`;
  return `SELECT w.device_id, w.attribute, h.hour, ${qualified('h')} FROM (${wanted}) w
    JOIN LATERAL (SELECT h.hour, ${qualified('h')} FROM device_hours h
      WHERE ${within('h')} AND h.attribute = w.attribute AND NOT EXISTS (SELECT FROM device_hours_due d
        WHERE d.application_id = ${application} AND d.device_id = w.device_id AND d.hour = h.hour) OFFSET 0) h ON true
    UNION ALL SELECT s.device_id, s.attribute, s.hour, ${qualified('s')} FROM (${summedSql(points)}) s`;
}
