import pg from 'pg';
import { literalOf } from '../test/suites/literals.js';

// Loaded into the platform before it starts, by `node --import`. Records every statement sent to PostgreSQL. When the
// parent process asks, returns the recorded statements, each with its plan. The plan is requested on the connection
// that ran the statement, so it reflects the settings and the prepared statements of that session.

/** A recorded statement. */
export interface Recorded {
  text: string;
  /** Lines of the plan; empty for statements that have no plan. */
  plan: string[];
}

interface Statement {
  text: string;
  values?: readonly unknown[];
  name?: string;
}
type Query = (this: pg.Client, ...parameters: unknown[]) => unknown;

const HAS_PLAN = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i;

let sent: { client: pg.Client; statement: Statement }[] = [];
const prototype = pg.Client.prototype as unknown as { query: Query };
const { query } = prototype;
prototype.query = function (...parameters) {
  const [statement, values] = parameters as [string | Statement, unknown];
  const given = Array.isArray(values) ? values : undefined;
  sent.push({
    client: this,
    statement: typeof statement === 'string' ? { text: statement, values: given } : statement,
  });
  return query.apply(this, parameters);
};

process.on('message', () => {
  const taken = sent;
  sent = [];
  void recordsOf(taken).then((records) => process.send!(records));
});

/** One plan after the other, because a connection executes one statement at a time. */
async function recordsOf(taken: typeof sent): Promise<Recorded[]> {
  const records: Recorded[] = [];
  for (const { client, statement } of taken) {
    const plan = planOf(client, statement).catch(({ message }: Error) => [`No plan: ${message}`]);
    records.push({ text: statement.text, plan: await plan });
  }
  return records;
}

async function planOf(client: pg.Client, { text, values = [], name }: Statement): Promise<string[]> {
  if (!HAS_PLAN.test(text)) return [];
  if (name === undefined) return explain(client, text, values);
  const given = values.map(literalOf);
  return explain(
    client,
    `EXECUTE ${pg.escapeIdentifier(name)}${given.length ? `(${given.join(', ')})` : ''}`,
  );
}

async function explain(client: pg.Client, text: string, values: readonly unknown[] = []): Promise<string[]> {
  const config = { text: `EXPLAIN (COSTS OFF) ${text}`, values, rowMode: 'array' };
  const { rows } = (await query.call(client, config)) as pg.QueryArrayResult<[string]>;
  return rows.map(([line]) => line);
}
