import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { casesOf, type Case, type Request } from './cases.js';
import type { Field } from './databases.js';
import { launchServer, type RunningServer } from './processes.js';
import type { Recorded } from './statement-recorder.js';

/** Of requests: the first finds neither its token nor the place in memory. */
const TRIES = 3;

/**
 * What holds whatever the machine does: how many statements the request of each case runs, and that none of them reads a
 * large table from end to end. Returns a sentence for each fault.
 */
export async function check(field: Field): Promise<string[]> {
  const recorder = pathToFileURL(join(import.meta.dirname, 'statement-recorder.js')).href;
  // No worker: what it does by itself would be counted as well.
  const env = { ...field.env, PROCESS_ROLE: 'api' };
  const platform = await launchServer('../src/main.js', env, '/health', ['--import', recorder]);
  try {
    const faults: string[] = [];
    for (const one of casesOf(field.ownedBy)) {
      const found = await faultsOf(one, field, platform).catch(({ message }: Error) => [message]);
      faults.push(...found.map((fault) => `${one.name}: ${fault}`));
    }
    return faults;
  } finally {
    await platform.stop();
  }
}

async function faultsOf(one: Case, field: Field, platform: RunningServer): Promise<string[]> {
  const statements = await statementsOf(platform, field, one);
  const scans = statements.flatMap(({ text, plan }) => {
    const found = plan.flatMap((line) => {
      const [scan, table] = /Seq Scan on (\w+)|No plan.*/.exec(line) ?? [];
      return scan && (!table || field.largeTables.has(table)) ? [scan] : [];
    });
    return [...new Set(found)].map((scan) => `${scan}, for ${text.replace(/\s+/g, ' ').slice(0, 120)}`);
  });
  if (statements.length === one.statements) return scans;
  return [`a request runs ${statements.length} statements, not ${one.statements}`, ...scans];
}

/** The statements of one request whose token, unless the case is about a new one, was seen a moment ago. */
async function statementsOf(platform: RunningServer, field: Field, one: Case): Promise<Recorded[]> {
  const { ownedBy, tenants } = field;
  const tenant = tenants[0]!;
  let statements: Recorded[] = [];
  for (let tries = 0; tries < TRIES; tries++) {
    await recorded(platform);
    const token = one.newToken ? field.newToken(tenant) : tenant.token;
    await send(platform, one.request({ tenant, turn: 0, ownedBy }), token);
    statements = await recorded(platform);
  }
  return statements;
}

/** What the platform asks PostgreSQL with each heartbeat, whoever sends requests. */
const HEARTBEAT = /FROM unheard_processes\b/;

/** What requests had the platform send to PostgreSQL since it was asked before. */
async function recorded({ child }: RunningServer): Promise<Recorded[]> {
  child.send('hand over');
  const [statements] = (await once(child, 'message')) as [Recorded[]];
  return statements.filter(({ text }) => !HEARTBEAT.test(text));
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
