import type { QueryRunner } from 'typeorm';
import { startApp, type TestApp } from '../setup/app.js';
import { requiredQuery, filled, targetsOf, type Target } from './hostile/operations.js';
import { Schemas } from './hostile/schemas.js';
import { makeInstanceMember } from '../make/make.js';
import { faultsOf, forgetStatistics, rowsReadBy } from './plans.js';
import { Samples } from '../contract/samples.js';
import { freshDatabase, type FreshDatabase } from '../setup/fresh-database.js';
import { isDecision } from './statements.js';
import { Database, type Statement } from '../../src/platform/database/database.js';

/**
 * Lists that sort more rows than a page, each with the limit on their number: they depend on the memberships of the
 * caller and not on the data of tenants.
 */
const SORTED: Readonly<Record<string, string>> = {
  'orgs.get': 'organizations that the caller is a member of',
  'instances.get': 'instances that the caller is a member of',
  'events.get':
    'the first events of each of three states, merged; by creation, id and state they come in order',
  'instance.historicalSummaries': 'everything in an instance, searched for by those who run it',
  'applicationTemplates.get': 'the catalogue is in memory: nothing is asked of PostgreSQL',
  'applications.get':
    'the first applications of each of several owners, merged; of one owner they come in order',
};

/** Lists that take their page from another list, which is tested. */
const SAME_PAGE: ReadonlySet<string> = new Set(['applications.periodSummaries']);

/** Lists that count their rows for each request, each with the limit on their number. */
const COUNTED: Readonly<Record<string, string>> = {
  'orgs.get': 'organizations that the caller is a member of',
  'instances.get': 'instances that the caller is a member of',
};

/** Lists that use an index for a filter on their first field, so that a few matches are cheap in any table. */
const FOUND_BY_INDEX: ReadonlySet<string> = new Set(['devices.get']);
const MATCHES_NOTHING = '*in no name*';

/** Distributions of rows among owners: rows of the queried owner, number of other owners, rows of each. */
const SHAPES = {
  'one has 99 % of them': { own: 10_000, others: 100, each: 1, analyzed: true },
  'one has 99 % of them, another is asked for': { own: 1, others: 1, each: 10_000, analyzed: true },
  'many have a few': { own: 3, others: 4_000, each: 3, analyzed: true },
  'nothing is known of them': { own: 5_000, others: 100, each: 50, analyzed: false },
} as const;

type Shape = (typeof SHAPES)[keyof typeof SHAPES];

/** Rows of a table that belong to one owner. */
interface Held {
  table: string;
  column: string;
  holder: string;
}

let test: TestApp;
let database: FreshDatabase;
let samples: Samples;
let lists: List[];

/** A list of the document, its PostgreSQL statements, and the table and owner it reads. */
interface List {
  target: Target;
  statements: Sent[];
  /** Statements for filtered requests. */
  searches: Sent[];
  held?: Held;
}

/** Statement of a list for a query. */
interface Sent {
  query: string;
  statement: Statement;
}

beforeAll(async () => {
  database = await freshDatabase({ migrated: true });
  test = await startApp({ PROCESS_ROLE: 'api' }, { databaseUrl: database.url });
  const user = await makeInstanceMember(test, 'admin');
  samples = new Samples(test, user, 'organization');
  const targets = targetsOf(test.document);
  lists = [];
  for (const target of targets)
    if (target.method === 'GET' && isList(target) && !SAME_PAGE.has(target.id))
      lists.push(await listOf(target, targets));
}, 120_000);
afterAll(async () => {
  await test.close();
  await database.drop();
});

const isList = ({ query }: Target): boolean =>
  ['sortField', 'perPage'].every((name) => query.some((parameter) => parameter.name === name));

async function listOf(target: Target, targets: readonly Target[]): Promise<List> {
  const ids = await samples.idsOf(target.path);
  const post = targets.find(({ method, path }) => method === 'POST' && path === target.path);
  if (post) {
    const { path, body } = await samples.requestFor(post);
    await samples.post(path, body);
  } else {
    const one = targets.find(
      ({ path }) => path.startsWith(`${target.path}/{`) && !path.slice(target.path.length + 2).includes('/'),
    );
    if (one) await samples.idsOf(one.path);
  }
  const schemas = new Schemas(test.document);
  const fixed = requiredQuery(target.query, schemas);
  const { schema } = target.query.find(({ name }) => name === 'sortField')!;
  const sorts = schemas.resolve(schema).enum as string[];
  // Statements that are the same for all sort orders are checked once.
  const distinct = new Map<string, Sent>();
  for (const sort of sorts)
    for (const direction of ['asc', 'desc']) {
      const query = [fixed, `sortField=${sort}&sortDirection=${direction}`].filter(Boolean).join('&');
      for (const statement of await statementsOf(`${filled(target.path, ids)}?${query}`))
        distinct.set(JSON.stringify([statement.text, statement.values]), { query, statement });
    }
  const statements = [...distinct.values()];
  const searches: Sent[] = [];
  if (target.query.some(({ name }) => name === 'filter')) {
    const query = [fixed, `filter=${MATCHES_NOTHING}`].filter(Boolean).join('&');
    const sent = await searchesOf(`${filled(target.path, ids)}?${query}`);
    searches.push(...sent.map((statement) => ({ query, statement })));
  }
  return { target, statements, searches, held: heldOf(statements.map(({ statement }) => statement)) };
}

/** Returns the search statements of a request. */
async function searchesOf(path: string): Promise<Statement[]> {
  const database = test.app.get(Database);
  const spies = (['search', 'list'] as const).map((name) => jest.spyOn(database, name as 'search'));
  await samples.send('GET', path);
  const searches = spies.flatMap(({ mock }) => mock.calls.filter(([, search]) => search));
  spies.forEach((spy) => spy.mockRestore());
  return searches.map(([statement]) => statement);
}

/**
 * Returns the PostgreSQL statements for a request with a cached token. Permission checks are excluded, because a
 * platform that misses change notifications repeats them.
 */
async function statementsOf(path: string): Promise<Statement[]> {
  await samples.send('GET', path);
  const runner = test.app.get(Database);
  const statements: Statement[] = [];
  const own = (['run', 'rows', 'read', 'list'] as ('run' | 'rows')[]).filter((name) => name in runner);
  for (const name of own)
    runner[name] = (statement: Statement, ...search: []): Promise<never> => {
      if (search.length === 0 && !isDecision(statement.text)) statements.push(statement);
      return Database.prototype[name].call(runner, statement, ...search) as Promise<never>;
    };
  try {
    await samples.send('GET', path);
  } finally {
    for (const name of own) delete (runner as Partial<Database>)[name];
  }
  return statements;
}

/** Returns the table that a list reads, and the column of the owner. */
function heldOf(statements: readonly Statement[]): Held | undefined {
  for (const { text, values } of statements) {
    const [, inner, outer, column, parameter] =
      /FROM (?:\(SELECT [^()]* FROM (\w+) [^()]*\)|(\w+)) t WHERE (?:.*? AND )?\(?t\.(\w+_id) = \$(\d+)/.exec(
        text,
      ) ?? [];
    const table = inner ?? outer;
    if (table && column) return { table, column, holder: String(values[Number(parameter) - 1]) };
  }
  return undefined;
}

/** Copies a row for the queried owner and for others, with new values in unique columns. */
async function fill(connection: QueryRunner, { table, column, holder }: Held, shape: Shape): Promise<void> {
  // Unique values are generated; others are copied verbatim.
  const columns = (await connection.query(
    `SELECT attname AS name, atttypid = 'text'::regtype AND EXISTS (SELECT FROM pg_index i
       WHERE i.indrelid = attrelid AND i.indisunique AND attnum = ANY (i.indkey)) AS fresh
     FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
    [table],
  )) as { name: string; fresh: boolean }[];
  const values = columns.map(({ name, fresh }) => {
    if (name === column) return 'h.id';
    return fresh ? `substr(md5(h.id || '${name}' || n), 1, 24)` : `s."${name}"`;
  });
  const names = columns.map(({ name }) => `"${name}"`);
  const copies = (holders: string, rows: number) =>
    connection.query(
      `INSERT INTO ${table} (${names.join(', ')}) SELECT ${values.join(', ')}
       FROM (SELECT * FROM ${table} WHERE ${column} = $1 LIMIT 1) s, ${holders}, generate_series(1, ${rows}) n`,
      [holder],
    );
  // Disables foreign keys and triggers, because only one table matters here.
  await connection.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  const keys = (await connection.query(
    `SELECT conname AS name FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'f'`,
    [table],
  )) as { name: string }[];
  for (const { name } of keys) await connection.query(`ALTER TABLE ${table} DROP CONSTRAINT "${name}"`);
  await copies('(VALUES ($1)) h (id)', shape.own);
  await copies(
    `(SELECT substr(md5('other' || o), 1, 24) FROM generate_series(1, ${shape.others}) o) h (id)`,
    shape.each,
  );
  if (shape.analyzed) return void (await connection.query(`ANALYZE ${table}`));
  await forgetStatistics(connection, table);
}

/** Returns all faults in the plans of a list for a table shape, then rolls back. */
async function faultsIn({ target, statements, searches }: List, held: Held, shape: Shape): Promise<string[]> {
  const connection = test.dataSource.createQueryRunner();
  const faults = new Set<string>();
  try {
    await connection.startTransaction();
    await connection.query('SET LOCAL statement_timeout = 0');
    await fill(connection, held, shape);
    // Sorting is acceptable for few rows, and for tables without statistics, a state that lasts a minute.
    const sorted = shape.own < 100 || !shape.analyzed || Object.hasOwn(SORTED, target.id);
    const ownsAll = shape.own > 50 * shape.others * shape.each;
    const limits = { large: new Set([held.table]), sorted, ownsAll };
    for (const { query, statement } of statements)
      for (const fault of await faultsOf(connection, statement.text, statement.values, limits))
        faults.add(`${target.id}?${query}, ${fault}`);
    // A search reads the rows of its owner at most once, or fewer if an index applies.
    const max = FOUND_BY_INDEX.has(target.id) && shape.analyzed ? Math.min(shape.own, 10) : shape.own;
    for (const { query, statement } of searches) {
      const read = (await rowsReadBy(connection, statement))[held.table] ?? 0;
      // If one owner has nearly all rows, a full scan costs as little as an index scan.
      if (read > max * 1.02 + 10) faults.add(`${target.id}?${query}, reads ${read} rows`);
    }
  } finally {
    await connection.rollbackTransaction();
    await connection.query(`VACUUM ${held.table}`);
    await connection.release();
  }
  return [...faults];
}

describe.each(Object.entries(SHAPES))('Lists of a table in which %s', (_name, shape) => {
  it('find their page with an index on the owner', async () => {
    const faults: string[] = [];
    for (const list of lists) if (list.held) faults.push(...(await faultsIn(list, list.held, shape)));
    expect(faults).toEqual([]);
  }, 120_000);
});

describe('Every list', () => {
  it('belongs to an owner or to the memberships of its caller', () => {
    expect(lists.length).toBeGreaterThan(12);
    const ofNobody = lists.filter(({ held, target }) => !held && !SORTED[target.id]);
    expect(ofNobody.map(({ target }) => target.id)).toEqual([]);
  });

  it('takes its total from stored counts when not filtered', () => {
    const counted = lists.filter(({ statements }) =>
      statements.some(({ statement }) => /SELECT \(SELECT count\(\*\) FROM/.test(statement.text)),
    );
    expect(counted.map(({ target }) => target.id).sort()).toEqual(Object.keys(COUNTED).sort());
  });

  it('is checked by rules that detect bad plans', async () => {
    const { held, ...list } = lists.find(({ target }) => target.id === 'webhooks.get')!;
    const [search] = list.searches;
    const twice = (text: string) =>
      text.replace(/SELECT count\(\*\) FROM found/, 'SELECT count(*) FROM webhooks');
    list.searches = [
      { ...search!, statement: { ...search!.statement, text: twice(search!.statement.text) } },
    ];
    const bad = (text: string) => [{ query: '', statement: { text, values: [held!.holder] } }];
    const find = (text: string) =>
      faultsIn({ ...list, statements: bad(text) }, held!, SHAPES['one has 99 % of them']);
    const page = 'WHERE t.application_id = $1 ORDER BY t.name, t.id LIMIT 5';
    expect(await find(`SELECT t.id FROM webhooks t ${page}`)).toEqual([
      expect.stringMatching(/reads 20\d+ rows$/),
    ]);
    list.searches = [search!];
    expect(await find(`SELECT t.id FROM webhooks t ${page}`)).toEqual([]);
    expect(await find(`SELECT t.id FROM webhooks t ${page.replace('t.name', 'lower(t.name)')}`)).toHaveLength(
      2,
    );
    expect(await find(`SELECT t.id FROM webhooks t WHERE t.description = $1`)).toHaveLength(2);
  });
});
