import { HOUR, HOUR_COLUMNS, hoursSql, summedSql } from '../device-state/device-hours.columns.js';
import { VALUE_SQL } from './device-values.columns.js';
import type { SeriesQuery, Span } from './series-query.js';

/** Adds a value to a statement and returns its SQL placeholder. */
export type Bind = (value: unknown, type: string) => string;

/** Returns an SQL expression for a number as JSON. */
const json = (number: string) => `to_json(${number})::text`;

/** SQL aggregates over the points `p` of one step. */
const POINT_AGGREGATES: Readonly<Record<string, string>> = {
  COUNT: 'count(*)::text',
  MAX: json('max(p.number)'),
  MIN: json('min(p.number)'),
  MEDIAN: json('percentile_cont(0.5) WITHIN GROUP (ORDER BY p.number)'),
  MEAN: json('avg(p.number)'),
  SUM: json('sum(p.number)'),
  STD_DEV: json('stddev_pop(p.number)'),
};

/** SQL aggregates over the hours `h` of one step; `h.mean` is the mean over all of them. */
const HOUR_AGGREGATES: Readonly<Record<string, string>> = {
  COUNT: 'sum(h.count)::text',
  MAX: json('max(h.max)'),
  MIN: json('min(h.min)'),
  MEAN: json('sum(h.sum) / sum(h.count)'),
  SUM: json('sum(h.sum)'),
  STD_DEV: json('sqrt((sum(h.squares) + sum(h.count * (h.sum / h.count - h.mean) ^ 2)) / sum(h.count))'),
  FIRST: json('(array_agg(h.first ORDER BY h.first_time))[1]'),
  LAST: json('(array_agg(h.last ORDER BY h.last_time DESC))[1]'),
};
/** SQL for the time of the point that an aggregate returns, for aggregates that return a single point. */
const TIME_OF: Readonly<Record<string, { points: string; hours: string }>> = {
  FIRST: { points: 'min(p.time)', hours: 'min(h.first_time)' },
  LAST: { points: 'max(p.time)', hours: 'max(h.last_time)' },
};

/**
 * Returns SQL for the values of series: `device_id`, `name`, `step` in milliseconds since 1970, and `value` as JSON.
 * `w` contains the requested series: `device_id`, `attribute` (its number) and `name`.
 */
export function seriesSql(application: string, query: SeriesQuery, bind: Bind): string {
  switch (query.type) {
    case 'NONE':
      return pointsSql(application, query, bind);
    case 'TIMEATVALUE':
      return timeAtValueSql(application, query, bind);
    default:
      return isOfHours(query) ? ofHoursSql(application, query, bind) : ofPointsSql(application, query, bind);
  }
}

/** Returns whether the steps consist of whole hours, at least one of them, so that the hourly sums can be used. */
function isOfHours({ type, resolution, ...span }: SeriesQuery): boolean {
  const { start, end } = wholeHoursOf(span);
  return type in HOUR_AGGREGATES && (resolution === null || resolution % HOUR === 0) && start < end;
}

/** Returns the whole hours within a time range. */
function wholeHoursOf({ start, end }: Span): Span {
  return { start: Math.ceil(start / HOUR) * HOUR, end: Math.floor(end / HOUR) * HOUR };
}

/** Returns SQL for the points of a series `w` from one time (inclusive) to another (exclusive). */
const pointsOf = (application: string, from: string, to: string) =>
  `FROM device_points p WHERE p.application_id = ${application} AND p.device_id = w.device_id
    AND p.attribute = w.attribute AND p.time >= ${from} AND p.time < ${to}`;

const stepSql = (time: string, { resolution, start }: SeriesQuery, bind: Bind): string =>
  resolution === null ? bind(start, 'bigint') : `(${time} - ${time} % ${bind(resolution, 'bigint')})`;

const directionOf = ({ order }: SeriesQuery) => (order === 'desc' ? 'DESC' : 'ASC');

/** Limits the steps of one series: the first steps of a device are among the first steps of each of its series. */
const firstOf = (query: SeriesQuery, bind: Bind): string =>
  query.limit === null ? '' : `ORDER BY step ${directionOf(query)} LIMIT ${bind(query.limit, 'bigint')}`;

function pointsSql(application: string, query: SeriesQuery, bind: Bind): string {
  const { start, end } = boundSpan(query, bind);
  return `SELECT w.device_id, w.name, s.step, s.value FROM w CROSS JOIN LATERAL (
    SELECT p.time AS step, ${VALUE_SQL} AS value ${pointsOf(application, start, end)} ${firstOf(query, bind)}) s`;
}

function ofPointsSql(application: string, query: SeriesQuery, bind: Bind): string {
  const { start, end } = boundSpan(query, bind);
  const time = TIME_OF[query.type]?.points;
  const steps = `SELECT ${stepSql('p.time', query, bind)} AS step, ${time ?? POINT_AGGREGATES[query.type]} AS value
    ${pointsOf(application, start, end)} GROUP BY step ${firstOf(query, bind)}`;
  const value = time ? `(${pointAt(application, 's.value')})` : 's.value';
  return `SELECT w.device_id, w.name, s.step, ${value} AS value FROM w CROSS JOIN LATERAL (${steps}) s`;
}

/** Returns SQL for the value of a point of the series `w` at a time. */
const pointAt = (application: string, time: string): string =>
  `SELECT ${VALUE_SQL} FROM device_points p WHERE p.application_id = ${application} AND p.device_id = w.device_id
    AND p.attribute = w.attribute AND p.time = ${time}`;

/** Reads whole hours from the hourly sums, and the remaining time from the points. */
function ofHoursSql(application: string, query: SeriesQuery, bind: Bind): string {
  const { start, end } = boundSpan(query, bind);
  const hours = wholeHoursOf(query);
  const [from, to] = [bind(hours.start, 'bigint'), bind(hours.end, 'bigint')];
  const wanted = 'SELECT w.device_id, w.attribute FROM w';
  const of = { application, device: 'w.device_id', attribute: 'w.attribute' };
  const parts = `${hoursSql({ application, wanted, from, to })}
    UNION ALL SELECT w.device_id, w.attribute, e.start - e.start % ${HOUR}, ${HOUR_COLUMNS}
    FROM w CROSS JOIN (VALUES (${start}, ${from}), (${to}, ${end})) e (start, finish)
    CROSS JOIN LATERAL (${summedSql({ ...of, from: 'e.start', to: 'e.finish' })}) s`;
  const step = stepSql('h.hour', query, bind);
  const mean =
    query.type === 'STD_DEV'
      ? ', sum(h.sum) OVER (PARTITION BY h.device_id, h.attribute, h.step) / sum(h.count) OVER (PARTITION BY h.device_id, h.attribute, h.step) AS mean'
      : '';
  const time = TIME_OF[query.type]?.hours;
  const steps = `SELECT h.device_id, h.attribute, h.step, ${HOUR_AGGREGATES[query.type]} AS value, ${time ?? 'NULL'} AS time
    FROM (SELECT h.*${mean} FROM (SELECT h.*, ${step} AS step FROM (${parts}) h) h) h GROUP BY 1, 2, 3`;
  // Hourly sums contain values of numbers only.
  const value = time ? `coalesce(s.value, (${pointAt(application, 's.time')}))` : 's.value';
  return `SELECT w.device_id, w.name, s.step, ${value} AS value
    FROM (${steps}) s JOIN w ON w.device_id = s.device_id AND w.attribute = s.attribute`;
}

/**
 * A value holds from its point to the next one. The value at the start of the time range is therefore read from the
 * last point before it. The time after now is not counted.
 */
function timeAtValueSql(application: string, query: SeriesQuery, bind: Bind): string {
  const { start, end } = boundSpan({ ...query, end: Math.min(query.end, Date.now()) }, bind);
  const { value, resolution } = query;
  const number = bind(numberOf(value), 'double precision');
  const boolean = bind(booleanOf(value), 'boolean');
  const text = bind(String(value), 'text');
  const holds = `coalesce(p.number = ${number}, p.boolean = ${boolean}, p.text = ${text}, false)`;
  const step = resolution === null ? undefined : bind(resolution, 'bigint');
  const steps = step
    ? `generate_series(v.time - v.time % ${step}, v.until - 1, ${step}) b (step)`
    : `(VALUES (${start})) b (step)`;
  const begin = step ? 'greatest(v.time, b.step)' : 'v.time';
  const finish = step ? `least(v.until, b.step + ${step})` : 'v.until';
  return `SELECT w.device_id, w.name, s.step, s.value FROM w CROSS JOIN LATERAL (
    SELECT b.step, coalesce(sum(${finish} - ${begin}) FILTER (WHERE v.holds), 0)::text AS value
    FROM (SELECT greatest(p.time, ${start}) AS time, p.holds,
        lead(p.time, 1, ${end}) OVER (ORDER BY p.time) AS until
      FROM ((SELECT p.time, ${holds} AS holds FROM device_points p WHERE p.application_id = ${application}
            AND p.device_id = w.device_id AND p.attribute = w.attribute AND p.time < ${start}
          ORDER BY p.time DESC LIMIT 1)
        UNION ALL SELECT p.time, ${holds} AS holds ${pointsOf(application, start, end)}) p) v
    CROSS JOIN LATERAL ${steps} WHERE v.time < v.until
    GROUP BY b.step ${firstOf(query, bind)}) s`;
}

const boundSpan = ({ start, end }: Span, bind: Bind) => ({
  start: bind(start, 'bigint'),
  end: bind(end, 'bigint'),
});

/** Returns the number that a text or number represents, or `null` for other values. */
const numberOf = (value: unknown): number | null => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
};

const booleanOf = (value: unknown): boolean | null => ({ true: true, false: false })[String(value)] ?? null;
