import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { casesOf, type Case, type Request } from './cases.js';
import type { Field } from './databases.js';
import { launchServer, messageOf, type RunningServer } from './processes.js';
import type { Recorded } from './statement-recorder.js';

/** Number of requests: the first one does not find its token or its application in memory. */
const TRIES = 3;

/**
 * Checks what does not depend on the machine: the number of statements that each case runs, and that none of them scans
 * a large table. Returns a sentence for each fault.
 */
export async function check(field: Field): Promise<string[]> {
  const recorder = pathToFileURL(join(import.meta.dirname, 'statement-recorder.js')).href;
  // No worker: its own statements would be counted too.
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

/** Returns the statements of one request. Its token is cached unless the case is about a new token. */
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

/** Statement that the platform runs with each heartbeat, independent of requests. */
const HEARTBEAT = /FROM unheard_processes\b/;

/** Returns the statements that requests have caused since the previous call. */
async function recorded({ child }: RunningServer): Promise<Recorded[]> {
  child.send('hand over');
  const statements = await messageOf<Recorded[]>(child);
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
