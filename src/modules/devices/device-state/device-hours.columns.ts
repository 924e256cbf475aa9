/** Milliseconds. */
export const HOUR = 3_600_000;

/** Columns with the sums of an attribute in one hour. */
export const HOUR_COLUMNS = 'count, first_time, last_time, first, last, min, max, sum, squares';
const SUMMED = `count(*)::int AS count, min(p.time) AS first_time, max(p.time) AS last_time,
  (array_agg(p.number))[1] AS first, (array_agg(p.number))[count(*)] AS last, min(p.number) AS min, max(p.number) AS max,
  sum(p.number) AS sum, regr_sxx(p.number, p.number) AS squares`;

/** Returns SQL for `HOUR_COLUMNS` of a time range, calculated from its points; no row if there are no points. */
export const summedSql = (of: {
  application: string;
  device: string;
  attribute: string;
  from: string;
  to: string;
}): string =>
  `SELECT ${SUMMED} FROM (SELECT p.time, p.number FROM device_points p
    WHERE p.application_id = ${of.application} AND p.device_id = ${of.device} AND p.attribute = ${of.attribute}
      AND p.time >= ${of.from} AND p.time < ${of.to} ORDER BY p.time) p HAVING count(*) > 0`;

const qualified = (row: string) =>
  HOUR_COLUMNS.split(', ')
    .map((column) => `${row}.${column}`)
    .join(', ');

/**
 * Returns SQL for the whole hours of some attributes, unordered: `device_id`, `attribute`, `hour` and `HOUR_COLUMNS`.
 * Hours are read from the stored sums, or from their points if they are due, so that the result is always exact. All
 * parameters are SQL: `wanted` selects rows of `(device_id, attribute)`. The hours range from `from` (the start of an
 * hour) to `to` (exclusive).
 */
export function hoursSql(of: { application: string; wanted: string; from: string; to: string }): string {
  const { application, wanted, from, to } = of;
  const within = (row: string) =>
    `${row}.application_id = ${application} AND ${row}.device_id = w.device_id AND ${row}.hour >= ${from} AND ${row}.hour < ${to}`;
  const summed = summedSql({
    application,
    device: 'w.device_id',
    attribute: 'w.attribute',
    from: 'd.hour',
    to: `d.hour + ${HOUR}`,
  });
  return `SELECT w.device_id, w.attribute, h.hour, ${qualified('h')} FROM (${wanted}) w
    JOIN LATERAL (SELECT h.hour, ${qualified('h')} FROM device_hours h
      WHERE ${within('h')} AND h.attribute = w.attribute AND NOT EXISTS (SELECT FROM device_hours_due d
        WHERE d.application_id = ${application} AND d.device_id = w.device_id AND d.hour = h.hour) OFFSET 0) h ON true
    UNION ALL SELECT w.device_id, w.attribute, d.hour, ${qualified('s')} FROM (${wanted}) w
    JOIN LATERAL (SELECT d.hour FROM device_hours_due d WHERE ${within('d')} OFFSET 0) d ON true
    JOIN LATERAL (${summed}) s ON true`;
}
