import { setTimeout as sleep } from 'node:timers/promises';
import { withClient, type Field } from './databases.js';
import { drained } from './run-field.js';

/** Seconds over which the timers are spread evenly. */
const SPREAD_S = 60;
const LEAD_S = 3;
const POLL_MS = 200;

/** Adds timers to the workflows that have one. They are due within the spread, and again only long after the measurement. */
const ADD = `INSERT INTO flow_schedules (application_id, flow_id, key, specs, due_at)
  SELECT f.application_id, f.id, 'bench-' || n, jsonb_build_array(jsonb_build_object('seconds', 86400)),
    $2::timestamptz + make_interval(secs => ${SPREAD_S} * (row_number() OVER (ORDER BY n, f.id) - 1) / $1::float8)
  FROM (SELECT id, application_id FROM flows WHERE triggers->0->>'type' = 'timer' ORDER BY id) f,
    generate_series(1, greatest(1, $1::int / (SELECT count(*)::int FROM flows WHERE triggers->0->>'type' = 'timer'))) n`;
const UNFIRED = `SELECT FROM flow_schedules s JOIN bench_due d USING (flow_id, key) WHERE s.due_at = d.due_at LIMIT 1`;
const LATE = `WITH ran AS (
    SELECT flow_id, trigger->>'key' AS key, requested_at FROM flow_runs WHERE trigger->>'key' LIKE 'bench-%'),
  late AS (SELECT extract(epoch FROM r.requested_at - d.due_at) * 1000 AS ms FROM bench_due d JOIN ran r USING (flow_id, key))
  SELECT (SELECT count(*) FROM bench_due) AS due, (SELECT count(*) FROM ran) AS ran,
    (SELECT count(*) FROM (SELECT FROM ran GROUP BY flow_id, key HAVING count(*) > 1) r) AS twice,
    percentile_cont(ARRAY[0.5, 0.99]) WITHIN GROUP (ORDER BY ms) AS percentiles FROM late`;

interface Found {
  due: string;
  ran: string;
  twice: string;
  percentiles: number[];
}

/** Lets each of many timers fire once, and prints how many fired twice and how late they were. */
export async function timers(field: Field, wanted: number): Promise<void> {
  const start = new Date(Date.now() + LEAD_S * 1000);
  const found = await withClient(field.env.DATABASE_URL!, async (client) => {
    await client.query(ADD, [wanted, start]);
    await client.query(
      'CREATE TABLE bench_due AS SELECT flow_id, key, due_at FROM flow_schedules WHERE key LIKE $1',
      ['bench-%'],
    );
    await client.query('ANALYZE flow_schedules');
    await sleep(start.getTime() + SPREAD_S * 1000 - Date.now());
    while ((await client.query(UNFIRED)).rowCount) await sleep(POLL_MS);
    await drained(field, 'run_inbox');
    const { rows } = await client.query<Found>(LATE);
    return rows[0]!;
  });
  const [median, p99] = found.percentiles;
  console.log(
    `\n| timers in ${SPREAD_S} s | fired | of which twice | late by, median | p99 |\n| ---: | ---: | ---: | ---: | ---: |`,
  );
  const row = [found.due, found.ran, found.twice, `${median!.toFixed(0)} ms`, `${p99!.toFixed(0)} ms`];
  console.log(`| ${row.join(' | ')} |`);
}
