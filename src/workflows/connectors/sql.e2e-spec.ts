import { connectedNodes } from '../../../test/doubles/connected-nodes.js';
import { freshDatabase, type FreshDatabase } from '../../../test/setup/fresh-database.js';
import { HAS_MARIADB, startMariaDb, type MariaDb } from '../../../test/setup/mariadb.js';
import type { CredentialsPort } from '../engine/ports.js';
import { sqlNode } from '../nodes/sql/index.js';

const SECRET = 'Wrong-Horse-8';

const credentials = (members: object, enabled = true): { credentials: CredentialsPort } => ({
  credentials: {
    opened: async (_application, name) =>
      name === 'db' ? { type: 'sql', enabled, members: members as Record<string, unknown> } : undefined,
  },
});

interface System {
  server: Record<string, unknown>;
  run(query: string, config?: object, payload?: object): Promise<any>;
}

/** What holds for every system. */
function behavesAsSql(get: () => System): void {
  it('returns rows, and "success" for statements without', async () => {
    const { run } = get();
    expect(await run('SELECT 1 AS a, NULL AS b UNION SELECT 2, NULL ORDER BY 1')).toEqual([
      { a: 1, b: null },
      { a: 2, b: null },
    ]);
    expect(await run('SELECT 1 AS a WHERE 1 = 0')).toEqual([]);
    expect(await run('CREATE TEMPORARY TABLE notes (a int)')).toEqual(['success']);
  });

  it('renders the statement', async () => {
    const { run } = get();
    expect(await run("SELECT '{{data.name}}' AS name", {}, { data: { name: 'Pump' } })).toEqual([
      { name: 'Pump' },
    ]);
    await expect(run('{{data.none}}')).rejects.toThrow('query is required');
  });

  it('writes errors of the server', async () => {
    const { run } = get();
    expect(await run('SELECT * FROM absent')).toEqual({ errors: expect.stringContaining('absent') });
    expect(await run('SELECT 1 AS a')).toEqual([{ a: 1 }]);
  });

  it('refuses several statements in one text', async () => {
    const { run } = get();
    expect(await run('SELECT 1; SELECT 2')).toEqual({ errors: expect.any(String) });
  });

  it('leaves no transaction and no state to other calls', async () => {
    const { run } = get();
    await run('CREATE TEMPORARY TABLE leftovers (a int)');
    expect(await run('SELECT * FROM leftovers')).toEqual({ errors: expect.any(String) });
    await run('DROP TABLE IF EXISTS kept');
    await run('CREATE TABLE kept (a int)');
    await run('BEGIN');
    await run('INSERT INTO kept VALUES (1)');
    await run('ROLLBACK');
    expect(await run('SELECT a FROM kept')).toEqual([{ a: 1 }]);
    await run('DROP TABLE kept');
  });

  it('does not show a wrong password', async () => {
    const { run } = get();
    const result = await run('SELECT 1', { passwordTemplate: SECRET });
    expect(result).toEqual({ errors: expect.any(String) });
    expect(JSON.stringify(result)).not.toContain(SECRET);
  });

  it('refuses results of more than 10,000 rows or 5 MiB', async () => {
    const { run } = get();
    const digits = '(SELECT 0 AS d UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4) AS';
    const many = `FROM ${'abcdefg'
      .split('')
      .map((name) => `${digits} ${name}`)
      .join(' CROSS JOIN ')}`;
    const refusal = { errors: 'The response of the other server is too large' };
    expect(await run(`SELECT 1 AS x ${many}`)).toEqual(refusal);
    expect(await run("SELECT repeat('x', 5300000) AS x")).toEqual(refusal);
    expect(await run(`SELECT 1 AS x ${many} LIMIT 10000`)).toHaveLength(10_000);
  });

  it('cannot reach a private address', async () => {
    const { run } = get();
    expect(await run('SELECT 1', { hostTemplate: 'localhost' })).toEqual({
      errors: 'The other server cannot be reached',
    });
  });

  it('requires TLS if it is switched on', async () => {
    const { run } = get();
    expect(await run('SELECT 1', { sslOn: true })).toEqual({ errors: expect.any(String) });
  });

  it('uses a credential', async () => {
    const { run, server } = get();
    const { systemTemplate: system, hostTemplate: host, portTemplate: port } = server;
    const members = { system, host, port, username: server.userTemplate, password: server.passwordTemplate };
    const config = { credentialNameTemplate: '{{c}}' };
    const ports = credentials(members);
    expect(await run('SELECT 1 AS a', { ...config, ports }, { c: 'db' })).toEqual([{ a: 1 }]);
    for (const [name, given] of [
      ['none', ports],
      ['db', credentials(members, false)],
    ] as const)
      await expect(run('SELECT 1', { ...config, ports: given }, { c: name })).rejects.toThrow(
        'credentialNameTemplate must be the name of an enabled credential of type sql',
      );
  });
}

describe('SqlNode and PostgreSQL', () => {
  const database = {} as FreshDatabase;
  beforeAll(async () => {
    Object.assign(database, await freshDatabase({ migrated: false }));
  });
  afterAll(() => database.drop());
  const { after } = connectedNodes(() => [new URL(process.env.TEST_POSTGRES_URL!).host]);
  const server = () => {
    const { hostname, port, username, password, pathname } = new URL(database.url);
    return {
      systemTemplate: 'pg',
      hostTemplate: hostname,
      portTemplate: port,
      userTemplate: username,
      passwordTemplate: decodeURIComponent(password),
      databaseTemplate: pathname.slice(1),
    };
  };
  const run = async (query: string, { ports, ...config }: any = {}, payload = {}) =>
    (await after(sqlNode, { ...server(), query, resultPath: 'r', ...config }, payload, ports)).r;

  behavesAsSql(() => ({ server: server(), run }));

  it('returns values as JSON, and times as dates', async () => {
    const query = `SELECT 9007199254740993::bigint AS big, '\\x6869'::bytea AS bytes, '{"a": [1]}'::json AS json,
      timestamptz '2024-01-15T00:00:00Z' AS at, ARRAY[1, 2] AS list, true AS flag`;
    expect(await run(query)).toEqual([
      {
        big: '9007199254740993',
        bytes: 'aGk=',
        json: { a: [1] },
        at: new Date('2024-01-15T00:00:00Z'),
        list: [1, 2],
        flag: true,
      },
    ]);
    await run('CREATE TABLE pumps (id int)');
    expect(await run('INSERT INTO pumps VALUES (7) RETURNING id')).toEqual([{ id: 7 }]);
  });

  it.each(['mssql', 'sqlite3', 'oracle'])('has no connector for %s', async (systemTemplate) => {
    await expect(run('SELECT 1', { systemTemplate })).rejects.toMatchObject({
      name: 'NotAvailable',
      message: `This platform has no connector for the SQL system ${systemTemplate}`,
    });
  });
});

(HAS_MARIADB ? describe : describe.skip)('SqlNode and MariaDB', () => {
  const mariaDb = {} as MariaDb;
  beforeAll(async () => {
    Object.assign(mariaDb, await startMariaDb());
  }, 120_000);
  afterAll(() => mariaDb.stop());
  const { after } = connectedNodes(() => [`127.0.0.1:${mariaDb.port}`]);
  const server = () => ({
    systemTemplate: 'mysql',
    hostTemplate: '127.0.0.1',
    portTemplate: mariaDb.port,
    userTemplate: 'root',
    passwordTemplate: 'Root-Horse-7',
    databaseTemplate: 'field',
  });
  const run = async (query: string, { ports, ...config }: any = {}, payload = {}) =>
    (await after(sqlNode, { ...server(), query, resultPath: 'r', ...config }, payload, ports)).r;

  behavesAsSql(() => ({ server: server(), run }));

  it('returns values as JSON, and times as dates', async () => {
    const query = `SELECT 9007199254740993 AS big, BINARY 'hi' AS bytes, TIMESTAMP '2024-01-15 00:00:00' AS at,
      1.50 AS price`;
    expect(await run(query)).toEqual([
      { big: '9007199254740993', bytes: 'aGk=', at: new Date('2024-01-15T00:00:00Z'), price: '1.50' },
    ]);
  });
});
