import { setTimeout as sleep } from 'node:timers/promises';
import { withClient, type Field } from './databases.js';

/** Seconds over which the timers are spread evenly. */
const SPREAD_S = 60;
const LEAD_S = 3;

/** Adds timers to the workflows that have one. They are due within the spread, and again only long after the measurement. */
const ADD = `INSERT INTO flow_schedules (application_id, flow_id, key, specs, due_at)
  SELECT f.application_id, f.id, 'bench-' || n, jsonb_build_array(jsonb_build_object('seconds', 86400)),
    $2::timestamptz + make_interval(secs => ${SPREAD_S} * (row_number() OVER (ORDER BY n, f.id) - 1) / $1::float8)
  FROM (SELECT id, application_id FROM flows WHERE triggers->0->>'type' = 'timer' ORDER BY id) f,
    generate_series(1, greatest(1, $1::int / (SELECT count(*)::int FROM flows WHERE triggers->0->>'type' = 'timer'))) n`;
/** The runs of a workflow, in order, belong to the times at which its timers were due, in order. */
const LATE = `WITH due AS (
    SELECT flow_id, due_at, row_number() OVER (PARTITION BY flow_id ORDER BY due_at) AS n FROM bench_due),
  ran AS (
    SELECT flow_id, requested_at, row_number() OVER (PARTITION BY flow_id ORDER BY requested_at) AS n
    FROM (SELECT flow_id, requested_at FROM flow_runs UNION ALL SELECT flow_id, requested_at FROM run_inbox) r
    WHERE requested_at >= $1 AND flow_id IN (SELECT flow_id FROM bench_due)),
  late AS (SELECT extract(epoch FROM r.requested_at - d.due_at) * 1000 AS ms FROM due d JOIN ran r USING (flow_id, n))
  SELECT (SELECT count(*) FROM due) AS due, (SELECT count(*) FROM ran) AS ran,
    percentile_cont(ARRAY[0.5, 0.99]) WITHIN GROUP (ORDER BY ms) AS percentiles FROM late`;

/** Lets each of many timers fire once, and prints how late they were. */
export async function timers(field: Field, wanted: number): Promise<void> {
  const start = new Date(Date.now() + LEAD_S * 1000);
  const found = await withClient(field.env.DATABASE_URL!, async (client) => {
    await client.query(ADD, [wanted, start]);
    await client.query(
      'CREATE TABLE bench_due AS SELECT flow_id, due_at FROM flow_schedules WHERE key LIKE $1',
      ['bench-%'],
    );
    await client.query('ANALYZE flow_schedules');
    await sleep(start.getTime() + SPREAD_S * 1000 - Date.now());
    await sleep(3_000);
    const { rows } = await client.query<{ due: string; ran: string; percentiles: number[] }>(LATE, [start]);
    return rows[0]!;
  });
  const [median, p99] = found.percentiles;
  console.log(`\n| timers in ${SPREAD_S} s | fired | late by, median | p99 |\n| ---: | ---: | ---: | ---: |`);
  console.log(`| ${found.due} | ${found.ran} | ${median!.toFixed(0)} ms | ${p99!.toFixed(0)} ms |`);
}
