import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import pg from 'pg';
import { createDataSource } from '../src/platform/database/data-source.js';
import { CASES, type Case, type Request } from './cases.js';
import type { Field } from './databases.js';
import { launchServer, type RunningServer } from './processes.js';
import { TENANT_TABLES } from './shapes.js';
import type { Sent, Value } from './statement-recorder.js';

/** A prepared statement has one plan for all values, where it gets one, from its sixth execution on. */
const EXECUTIONS = 6;
/** Of requests: the first finds neither its token nor the place in memory. */
const TRIES = 3;

type Run = (text: string) => Promise<Record<string, string>[]>;

/**
 * What holds whatever the machine does: how many statements the request of each case runs, and that none of them reads a
 * table of tenants from end to end. Returns a sentence for each fault.
 */
export async function check(field: Field): Promise<string[]> {
  const recorder = pathToFileURL(join(import.meta.dirname, 'statement-recorder.js')).href;
  // No worker: what it does by itself would be counted as well.
  const env = { ...field.env, PROCESS_ROLE: 'api' };
  const platform = await launchServer('../src/main.js', env, '/health', ['--import', recorder]);
  const dataSource = await createDataSource({ url: field.env.DATABASE_URL!, poolSize: 1 }).initialize();
  const run: Run = (text) => dataSource.query(text);
  try {
    const faults: string[] = [];
    for (const one of CASES) {
      const found = await faultsOf(one, field, platform, run).catch(({ message }: Error) => [message]);
      faults.push(...found.map((fault) => `${one.name}: ${fault}`));
    }
    return faults;
  } finally {
    await dataSource.destroy();
    await platform.stop();
  }
}

async function faultsOf(one: Case, field: Field, platform: RunningServer, run: Run): Promise<string[]> {
  const statements = await statementsOf(platform, field, one);
  const faults =
    statements.length === one.statements
      ? []
      : [`a request runs ${statements.length} statements, not ${one.statements}`];
  for (const statement of statements)
    for (const scan of await sequentialScans(run, statement))
      faults.push(`${scan}, for ${statement.text.replace(/\s+/g, ' ').slice(0, 120)}`);
  return faults;
}

/** The statements of one request whose token, unless the case is about a new one, was seen a moment ago. */
async function statementsOf(platform: RunningServer, field: Field, one: Case): Promise<Sent[]> {
  const { ownedBy, tenants } = field;
  const tenant = tenants[0]!;
  let statements: Sent[] = [];
  for (let tries = 0; tries < TRIES; tries++) {
    await recorded(platform);
    const token = one.newToken ? field.newToken(tenant) : tenant.token;
    await send(platform, one.request({ tenant, turn: 0, ownedBy }), token);
    statements = await recorded(platform);
  }
  return statements;
}

/** What the platform has sent to PostgreSQL since it was asked before. */
async function recorded({ child }: RunningServer): Promise<Sent[]> {
  child.send('hand over');
  const [statements] = (await once(child, 'message')) as [Sent[]];
  return statements;
}

async function send({ port }: RunningServer, { method, path, body }: Request, token: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 300)}`);
}

/** Where the plan that a connection ends up with reads a whole table of tenants. */
async function sequentialScans(run: Run, { text, values, named }: Sent): Promise<string[]> {
  if (!/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(text)) return [];
  await run(`PREPARE checked AS ${text}`);
  const given = values.map((value) => (value === null ? 'NULL' : pg.escapeLiteral(asText(value))));
  let plan: Record<string, string>[] = [];
  for (let times = 0; times < (named ? EXECUTIONS : 1); times++)
    plan = await run(`EXPLAIN (COSTS OFF) EXECUTE checked${given.length ? `(${given.join(', ')})` : ''}`);
  await run('DEALLOCATE checked');
  const lines = plan.map((row) => row['QUERY PLAN']!);
  return lines.flatMap((line) => {
    const [scan, table] = /Seq Scan on (\w+)/.exec(line) ?? [];
    return scan && TENANT_TABLES.includes(table!) ? [scan] : [];
  });
}

/** A value in PostgreSQL's text form. */
function asText(value: Value): string {
  if (value === null || typeof value !== 'object') return String(value);
  const elements = value.map((element) => (element === null ? 'NULL' : JSON.stringify(asText(element))));
  return `{${elements.join(',')}}`;
}
