import { parseArgs } from 'node:util';
import { Databases, keepCounts, withClient, type Field } from './databases.js';
import { launchServer } from './processes.js';
import { EVEN } from './shapes.js';

// Measures how long listing events takes for a caller that sends one request at a time. Lists of an application with
// 1,000 events are compared with those of a much larger one, and must cost the same. Searches are not included: a
// search reads every event, for at most 2.5 seconds.
const FEW = 1_000;
const ROUNDS = 15;
const WARM_UP = 3;
const { values } = parseArgs({ options: { events: { type: 'string', default: '1000000' } } });
const MANY = Number(values.events);
/** Number of events that share a subject and a device, whatever the total. */
const ALIKE = 100;

/** Most events are resolved, as in a system in use; one in a hundred is new. */
const EVENTS = `INSERT INTO events (id, creation_date, last_updated, application_id, level, state, subject, message, device_id,
    device_name, event_tags, disable_tag_change_tracking, data, source_type, source_id)
  SELECT $1 || lpad(to_hex(i), 22, '0'), t.at, t.at, $2, (enum_range(NULL::event_level))[1 + i % 4],
    (CASE WHEN i % 100 = 0 THEN 'new' WHEN i % 100 < 5 THEN 'acknowledged' ELSE 'resolved' END)::event_state,
    'Event ' || lpad((i % greatest($3::int / ${ALIKE}, 1))::text, 8, '0'), repeat('Above nine bar. ', 8),
    'd' || lpad(to_hex(i % greatest($3::int / ${ALIKE}, 1)), 23, '0'), 'Device',
    '{"site":"north"}', false, '{"pressure":9.4}', 'user', $2
  FROM generate_series(0, $3::int - 1) i, LATERAL (SELECT now() - ($3::int - i) * interval '1 second' AS at) t`;

/** Returns lists of 100 events for an application with this many events. */
const lists = (count: number): Record<string, string> => ({
  'newest first': '',
  'last page': `?page=${Math.ceil(count / 100) - 1}`,
  'new ones': '?state=new',
  'by level': '?sortField=level',
  'by subject': '?sortField=subject&sortDirection=asc',
  'resolved, by device': '?state=resolved&sortField=deviceId',
  'most severe new one': '/mostRecentBySeverity',
});

/** Returns the median duration of each request in milliseconds. Requests are sent in turn, for several rounds. */
async function measure(paths: readonly string[], send: (path: string) => Promise<void>): Promise<number[]> {
  const times: number[][] = paths.map(() => []);
  for (let round = -WARM_UP; round < ROUNDS; round++)
    for (const [i, path] of paths.entries()) {
      const begin = performance.now();
      await send(path);
      if (round >= 0) times[i]!.push(performance.now() - begin);
    }
  return times.map((of) => of.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]!);
}

async function bench({ tenants, env }: Field): Promise<void> {
  const [{ token, applications }] = tenants as [Field['tenants'][number]];
  const [few, many] = applications.slice(1) as [string, string];
  await withClient(env.DATABASE_URL!, async (client) => {
    await client.query(EVENTS, ['e1', few, FEW]);
    await client.query(EVENTS, ['e2', many, MANY]);
    await client.query('VACUUM ANALYZE events');
  });
  await keepCounts(env.DATABASE_URL!);
  const server = await launchServer('../src/main.js', { ...env, PROCESS_ROLE: 'api' }, '/health');
  const sendTo = (application: string) => async (path: string) => {
    const url = `http://127.0.0.1:${server.port}/applications/${application}/events${path}`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 300)}`);
  };
  try {
    const ofFew = await measure(Object.values(lists(FEW)), sendTo(few));
    const ofMany = await measure(Object.values(lists(MANY)), sendTo(many));
    console.log(`| 100 events | of ${FEW} | of ${MANY} | ratio |\n| --- | ---: | ---: | ---: |`);
    for (const [i, name] of Object.keys(lists(FEW)).entries()) {
      const [less, more] = [ofFew[i]!, ofMany[i]!];
      console.log(
        `| ${name} | ${less.toFixed(1)} ms | ${more.toFixed(1)} ms | ${(more / less).toFixed(1)} |`,
      );
    }
  } finally {
    await server.stop();
  }
}

const databases = await Databases.start();
try {
  await bench(await databases.fill({ ...EVEN, ordinary: 1 }, 'user'));
} finally {
  await databases.stop();
}
