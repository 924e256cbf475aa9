import { parseArgs } from 'node:util';
import { Databases, keepCounts, withClient, type Field } from './databases.js';
import { launchServer, type RunningServer } from './processes.js';
import { EVEN } from './shapes.js';

// Measures the cost of data table rows for a caller that sends one request at a time. A table with 1,000 rows is
// compared with a much larger one. Requests that use an index must cost the same; those that scan all rows stop after
// 2.5 seconds.
const FEW = 1_000;
const ROUNDS = 9;
const WARM_UP = 2;
const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } });
const MANY = Number(values.rows);

const COLUMNS = [
  { name: 'serial', dataType: 'string', constraint: 'unique' },
  { name: 'site', dataType: 'string', constraint: 'optional' },
  { name: 'stock', dataType: 'number', constraint: 'optional' },
];
/** Columns are numbered in the order in which they were defined. */
const rowsSql = (table: string) => `WITH come AS (
    INSERT INTO data_tables.t_${table} (id, created_at, updated_at, c1, c2, c3)
    SELECT 'b0' || lpad(to_hex(i), 22, '0'), now(), now(), 'A-' || i, 'Site ' || i % 100, (i::bigint * 7919) % 1000003
    FROM generate_series(1, $2::int) i RETURNING 1)
  INSERT INTO count_deltas (holder_id, kind, n) SELECT $1, 'rowCount', count(*) FROM come`;

interface Sent {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
}
const list = (query: string): Sent => ({ method: 'GET', path: `?${query}` });
const query = (body: object): Sent => ({ method: 'POST', path: '/query?limit=100', body });

/** Requests to a table, by their name in the report; `turn` differs for each request. */
const REQUESTS: Readonly<Record<string, (turn: number) => Sent>> = {
  'insert of 1': (turn) => ({ method: 'POST', path: '', body: { serial: `one ${turn}`, stock: turn } }),
  'insert of 1,000': (turn) => ({
    method: 'POST',
    path: '',
    body: Array.from({ length: 1_000 }, (_, i) => ({ serial: `many ${turn} ${i}`, stock: i })),
  }),
  'list of 100': () => list('limit=100'),
  'query by a unique column': (turn) => query({ serial: `A-${turn + 1}` }),
  'query by a non-unique column': (turn) => query({ stock: turn }),
  'query that matches many rows': () => query({ site: { $contains: 'SITE 7', $ci: true } }),
  'list sorted by a unique column': () => list('limit=100&sortColumn=serial&sortDirection=desc'),
  'list sorted by a non-unique column': () => list('limit=100&sortColumn=stock'),
};

async function makeTable(send: (path: string, sent: Sent) => Promise<string>, size: number, url: string) {
  const { id } = JSON.parse(
    await send('', { method: 'POST', path: '', body: { name: `${size} rows`, columns: COLUMNS } }),
  ) as { id: string };
  await withClient(url, async (client) => {
    await client.query(rowsSql(id), [id, size]);
    await client.query(`VACUUM ANALYZE data_tables.t_${id}`);
  });
  return `/${id}/rows`;
}

function sender({ port }: RunningServer, application: string, token: string) {
  const tables = `http://127.0.0.1:${port}/applications/${application}/data-tables`;
  return async (table: string, { method, path, body }: Sent): Promise<string> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${tables}${table}${path}`, {
      method,
      headers,
      body: body && JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 300)}`);
    return text;
  };
}

/** Returns the median duration of each request in milliseconds. Requests are sent in turn, for several rounds. */
async function measure(send: (sent: Sent) => Promise<unknown>): Promise<number[]> {
  const times: number[][] = Object.keys(REQUESTS).map(() => []);
  for (let round = -WARM_UP; round < ROUNDS; round++)
    for (const [i, request] of Object.values(REQUESTS).entries()) {
      const begin = performance.now();
      await send(request(round + WARM_UP));
      if (round >= 0) times[i]!.push(performance.now() - begin);
    }
  return times.map((of) => of.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]!);
}

async function bench({ tenants, env }: Field): Promise<void> {
  const [{ token, applications }] = tenants as [Field['tenants'][number]];
  const server = await launchServer('../src/main.js', { ...env, PROCESS_ROLE: 'api' }, '/health');
  try {
    const send = sender(server, applications[0]!, token);
    const found: number[][] = [];
    for (const size of [FEW, MANY]) {
      const table = await makeTable(send, size, env.DATABASE_URL!);
      await keepCounts(env.DATABASE_URL!);
      found.push(await measure((sent) => send(table, sent)));
    }
    console.log(`| rows | of ${FEW} | of ${MANY} | ratio |\n| --- | ---: | ---: | ---: |`);
    for (const [i, name] of Object.keys(REQUESTS).entries()) {
      const [less, more] = found.map((times) => times[i]!) as [number, number];
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
