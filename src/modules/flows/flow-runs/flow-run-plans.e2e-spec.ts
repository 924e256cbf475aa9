import { sumRunsSql } from '../../../../test/make/runs.js';
import { jest } from '@jest/globals';
import { makeApplication, makeUser } from '../../../../test/make/make.js';
import { faultsOf } from '../../../../test/suites/plans.js';
import { suite } from '../../../../test/setup/suite.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import { newId } from '../../../platform/repositories/resource.js';
import { FlowRunSumsRepository } from './flow-run-sums.repository.js';

/**
 * Number of workflows per application, in each distribution. Most runs belong to the first workflow of the largest
 * application.
 */
const SHAPES = {
  'one application that has nearly all': [6_000, ...Array<number>(20).fill(3)],
  'many small applications': Array<number>(1_500).fill(4),
};
const TABLES = ['flows', 'flow_versions', 'flow_runs', 'flow_run_sums', 'flow_run_traces', 'flow_triggers'];
/** Excludes statements that authenticate the caller. */
/** Excludes the maintenance of tables, which workers do beside. */
const isOfFlows = ({ text }: Statement) => /\bflow_|\bflows\b/.test(text) && !text.startsWith('ANALYZE');

/**
 * Statements about workflows and runs must use indexes, with and without planner statistics, and read rows of one
 * tenant only.
 */
describe.each(Object.entries(SHAPES))('SQL statements for %s', (_, sizes) => {
  const { test } = suite({}, { database: 'own' });
  let token: string;
  /** IDs of an application, a workflow, a version, a run and a device, of the largest and the smallest tenant. */
  let tenants: { application: string; flow: string; version: string; run: string; device: string }[];

  beforeAll(async () => {
    for (const table of TABLES) await query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
    ({ token } = await makeUser(test));
    const made = [await makeApplication(test, token), await makeApplication(test, token)];
    const [largest, smallest] = made.map(({ id }) => id as string) as [string, string];
    const ids = [largest, ...sizes.slice(2).map(newId), smallest];
    await query(
      `INSERT INTO applications (id, creation_date, last_updated, owner_id, owner_type, name)
       SELECT id, creation_date, last_updated, a.owner_id, a.owner_type, 'a' FROM unnest($1::text[]) id,
         (SELECT owner_id, owner_type, creation_date, last_updated FROM applications WHERE id = $2) a`,
      [ids.slice(1, -1), largest],
    );
    await query(
      `INSERT INTO flows (id, application_id, name, flow_class, enabled, triggers, nodes, globals, creation_date, last_updated)
       SELECT substr(md5(a.id || n), 1, 24), a.id, 'workflow ' || n, 'cloud', true,
         jsonb_build_array(jsonb_build_object('type', 'webhook', 'key', 'key')), '[]', '[]', now(), now()
       FROM unnest($1::text[], $2::int[]) a (id, flows), generate_series(1, a.flows) n`,
      [ids, sizes],
    );
    await query(`INSERT INTO flow_versions (id, application_id, flow_id, flow_class, version, enabled, triggers, nodes, globals,
        creation_date, last_updated)
      SELECT substr(md5(id || 'v'), 1, 24), application_id, id, flow_class, '1.0', true, triggers, '[]', '[]', now(), now()
      FROM flows`);
    await query(
      `INSERT INTO flow_runs (id, application_id, flow_id, flow_version_id, device_id, requested_at, payload_id, errors)
       SELECT substr(md5(f.id || n), 1, 24), f.application_id, f.id, CASE n % 2 WHEN 1 THEN substr(md5(f.id || 'v'), 1, 24) END,
         substr(md5(f.application_id), 1, 24), now() - n * interval '31 seconds', '',
         CASE n % 10 WHEN 0 THEN '[{"time": "2026-06-01T00:00:00Z"}]'::jsonb ELSE '[]' END
       FROM flows f, generate_series(1, CASE WHEN f.name = 'workflow 1' AND f.application_id = $1 THEN 20000 ELSE 2 END) n`,
      [largest],
    );
    await query(sumRunsSql('flow_runs'));
    await query(`INSERT INTO flow_run_traces (id, application_id, flow_id, trace)
      SELECT id, application_id, flow_id, '{"reason": "slow", "count": 0, "nodes": [], "entries": []}' FROM flow_runs`);
    const sums = test.app.get(FlowRunSumsRepository);
    while ((await query('SELECT FROM flow_run_deltas LIMIT 1')).length > 0) await sums.aggregate();
    tenants = await query(
      `SELECT a AS application, f.id AS flow, substr(md5(f.id || 'v'), 1, 24) AS version,
         substr(md5(f.id || 1), 1, 24) AS run, substr(md5(a), 1, 24) AS device
       FROM unnest($1::text[]) a JOIN flows f ON f.application_id = a AND f.name = 'workflow 1'`,
      [[largest, smallest]],
    );
  }, 240_000);

  const query = (text: string, values: unknown[] = []) => test.dataSource.query(text, values);

  /** Returns the statements about workflows that a request executes, with their values. */
  async function statementsOf(send: () => Promise<{ status: number }>): Promise<Statement[]> {
    const statements: Statement[] = [];
    const database = test.app.get(Database);
    const note = (statement: Statement) => {
      if (isOfFlows(statement)) statements.push(statement);
    };
    const spies = [
      ...(['run', 'read', 'rows', 'write'] as const).map((name) =>
        jest.spyOn(database, name).mockImplementation((statement: Statement) => {
          note(statement);
          return Database.prototype[name].call(database, statement) as Promise<never>;
        }),
      ),
      jest.spyOn(database, 'search').mockImplementation((statement, search) => {
        note(statement);
        return Database.prototype.search.call(database, statement, search);
      }),
      jest.spyOn(database, 'list').mockImplementation((statement, search) => {
        note(statement);
        return Database.prototype.list.call(database, statement, search);
      }),
    ];
    try {
      expect((await send()).status).toBe(200);
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
    return statements;
  }

  const CASES = [
    '?perPage=100',
    '?triggerFilter[0][type]=webhook&triggerFilter[0][key]=key&perPage=10',
    '/version?version=develop',
    '/version?version=1.0',
    '/FLOW',
    '/FLOW/versions',
    '/FLOW/versions/VERSION',
    ...['/FLOW', '/FLOW/versions/VERSION'].flatMap((of) =>
      [
        'logs?limit=100',
        'stats',
        'stats?end=1795000000001',
        'stats?deviceId=DEVICE&duration=3600000',
        'errors',
        'errors?deviceId=DEVICE',
      ].map((what) => `${of}/${what}`),
    ),
    '/FLOW/runs?limit=100',
    '/FLOW/runs?failed=true',
    '/FLOW/runs?before=1795000000001',
    '/FLOW/runs/RUN',
    '/FLOW/runs/RUN/trace',
    '/FLOW/stats?flowVersion=develop',
    '/FLOW/errors?flowVersion=develop&sortDirection=asc',
  ];

  describe.each([false, true])('with planner statistics: %s', (analyzed) => {
    beforeAll(async () => {
      if (analyzed) for (const table of TABLES) await query(`ANALYZE ${table}`);
    });

    const demandIndexes = async (statements: readonly Statement[]) => {
      expect(statements.length).toBeGreaterThan(0);
      const limits = { large: new Set(TABLES), sorted: true };
      for (const { text, values } of statements)
        expect(await faultsOf(test.dataSource, text, values, limits)).toEqual([]);
    };

    it.each(CASES)('%s uses indexes', async (path) => {
      for (const { application, flow, version, run, device } of tenants) {
        const ids = { FLOW: flow, VERSION: version, RUN: run, DEVICE: device };
        const named = path.replace(/FLOW|VERSION|RUN|DEVICE/g, (name) => ids[name as keyof typeof ids]);
        const url = `/applications/${application}/flows${named}`;
        await demandIndexes(await statementsOf(() => test.client.get(url, { token })));
      }
    });

    it('finds triggers by index', async () => {
      const webhook = async (application: string) =>
        (await test.client.post(`/applications/${application}/webhooks`, { name: newId() }, { token })).body;
      for (const { application } of tenants) {
        const { token: address } = await webhook(application);
        for (const version of ['default', '1.0']) {
          const headers = { 'x-flow-version': version };
          await demandIndexes(
            await statementsOf(() => fetch(`${test.client.url}/webhooks/${address}`, { headers })),
          );
        }
      }
    });
  });
});
