import { sumRunsSql } from '../../../../test/make/runs.js';
import { makeApplication, makeUser } from '../../../../test/make/make.js';
import { planOf } from '../../../../test/suites/plans.js';
import { isDecision, statementCounter, type Sent } from '../../../../test/suites/statements.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';

const WORKFLOWS = 10_000;
/**
 * Number of other applications of the same size. With a single application, a sequential scan would be the correct
 * plan.
 */
const OTHERS = 7;

/** Lists of an application with 10,000 workflows of different classes, each with versions. */
describe('Lists of 10,000 workflows', () => {
  const { test } = suite({}, { database: 'own' });
  let token: string;
  let applicationId: string;
  let path: string;
  let flowId: string;
  let send: ReturnType<typeof statementCounter>;

  beforeAll(async () => {
    send = statementCounter(test);
    ({ token } = await makeUser(test));
    for (let other = 0; other < OTHERS; other++) await fill((await makeApplication(test, token)).id, ['1.0']);
    ({ id: applicationId } = await makeApplication(test, token));
    await fill(applicationId, ['1.0', '1.1']);
    path = `/applications/${applicationId}/flows`;
    flowId = (await test.client.get(`${path}?perPage=1`, { token })).body.items[0].id;
    await waitUntil(
      async () => (await test.dataSource.query('SELECT FROM flow_run_deltas LIMIT 1')).length === 0,
    );
    for (const table of ['flows', 'flow_versions', 'flow_runs', 'flow_run_sums', 'flow_triggers'])
      await vacuum(table);
  }, 120_000);

  async function fill(application: string, versions: string[]): Promise<void> {
    await test.dataSource.query(
      `INSERT INTO flows (id, application_id, name, flow_class, enabled, triggers, nodes, globals,
          creation_date, last_updated)
        SELECT substr(md5($1 || n), 1, 24), $1, 'workflow ' || md5(n::text),
          (ARRAY['cloud', 'cloud', 'cloud', 'edge', 'customNode'])[n % 5 + 1], n % 7 > 0,
          jsonb_build_array(jsonb_build_object('type', 'webhook', 'key', 'key-' || n % 1000)),
          jsonb_build_array(jsonb_build_object('type', 'DebugNode', 'config', jsonb_build_object('message', repeat('x', 500)))),
          '[]', timestamptz '2026-01-01' + n * interval '1 minute', timestamptz '2026-06-01' - n * interval '1 minute'
        FROM generate_series(1, ${WORKFLOWS}) n`,
      [application],
    );
    await test.dataSource.query(
      `INSERT INTO flow_versions (id, application_id, flow_id, flow_class, version, enabled, triggers, nodes, globals,
         creation_date, last_updated)
       SELECT substr(md5(id || version), 1, 24), application_id, id, flow_class, version, enabled, triggers, nodes, globals,
         creation_date, last_updated FROM flows, unnest($2::text[]) version WHERE application_id = $1`,
      [application, versions],
    );
    await test.dataSource.query(
      `INSERT INTO flow_runs (id, application_id, flow_id, requested_at, payload_id)
       SELECT substr(md5(id || 'run'), 1, 24), application_id, id, now(), '' FROM flows WHERE application_id = $1`,
      [application],
    );
    await test.dataSource.query(sumRunsSql('(SELECT * FROM flow_runs WHERE application_id = $1)'), [
      application,
    ]);
  }

  /** Vacuums until all rows are marked visible; snapshots that are held elsewhere can delay this. */
  async function vacuum(table: string): Promise<void> {
    for (let visible = 0; visible === 0;) {
      await test.dataSource.query(`VACUUM ANALYZE ${table}`);
      const rows = await test.dataSource.query('SELECT relallvisible FROM pg_class WHERE relname = $1', [
        table,
      ]);
      visible = rows[0].relallvisible;
    }
  }

  /** Returns the statements about workflows that a request executes, with their values. */
  async function statementsOf(query: string): Promise<Sent[]> {
    const { status, sent } = await send('GET', `${path}${query}`, token);
    expect(status).toBe(200);
    return sent.filter(({ text }) => /\bflow/.test(text) && !isDecision(text));
  }

  const advanced = (query: object) => `query=${encodeURIComponent(JSON.stringify(query))}`;
  const SORTS = ['name', 'id', 'creationDate', 'lastUpdated'].flatMap((field) =>
    ['asc', 'desc'].map((direction) => `sortField=${field}&sortDirection=${direction}`),
  );
  const FILTERS = [
    'filter=workflow*',
    'filter=*1*&flowClass=edge',
    'triggerFilter[0][key]=key-7',
    'triggerFilter[0][type]=webhook&triggerFilter[1][type]=timer',
    'triggerFilter=[{}]',
    advanced({ name: { $startsWith: 'workflow 0' } }),
    advanced({ flowClass: 'edge', enabled: false }),
    advanced({ flowClass: 'cloud', creationDate: { $gt: '2026-01-06' } }),
  ];
  const OF_FLOWS = [
    advanced({ triggers: { type: 'webhook', key: 'key-7' } }),
    advanced({ nodes: { $ne: { type: 'DebugNode' } } }),
    `${advanced({ triggers: { type: 'webhook', key: 'key-7' } })}&allVersions=true`,
    advanced({}),
  ];
  const cases = [
    ...[...SORTS, ...FILTERS, ...OF_FLOWS, 'page=50'].map((query) => `?${query}`),
    ...['develop', '1.0'].flatMap((version) =>
      [...SORTS, ...FILTERS, 'page=50'].map((query) => `/version?version=${version}&${query}`),
    ),
  ];

  it.each(cases)('%s uses indexes', async (query) => {
    const statements = await statementsOf(query);
    expect(statements).toHaveLength(1);
    for (const { text, values } of statements) {
      const plan = await planOf(test.dataSource, text, values);
      expect(plan.filter((node) => node.startsWith('Seq Scan'))).toEqual([]);
      expect(plan.some((node) => /Index.* (PK_|flow)/.test(node))).toBe(true);
    }
  });

  it.each(SORTS.map((query) => query.replace('name', 'version')))(
    'lists the versions of a workflow by index with ?%s',
    async (query) => {
      for (const { text, values } of await statementsOf(`/${flowId}/versions?${query}&filter=1*`)) {
        const plan = await planOf(test.dataSource, text, values);
        expect(plan.filter((node) => node.startsWith('Seq Scan'))).toEqual([]);
      }
    },
  );

  it.each([
    ['name', 'flows_by_name'],
    ['id', 'flows_by_id'],
    ['creationDate', 'flows_by_creation'],
    ['lastUpdated', 'flows_by_change'],
  ])('sorted by %s read the index %s in order', async (field, index) => {
    const [{ text, values }] = (await statementsOf(`?sortField=${field}`)) as [Sent];
    const plan = await planOf(test.dataSource, text, values);
    expect(plan[plan.indexOf('Limit') + 1]).toBe(`Index Only Scan ${index}`);
  });

  it('find triggers by index', async () => {
    const [{ text, values }] = (await statementsOf('?triggerFilter[0][key]=key-7')) as [Sent];
    const plan = await planOf(test.dataSource, text, values);
    expect(plan.some((node) => /Index.* Scan flow_triggers_by_flow/.test(node))).toBe(true);
  });

  it('execute one statement, regardless of size', async () => {
    for (const query of ['?perPage=1', '?perPage=100', '?page=59', '/version?version=1.0']) {
      expect(await statementsOf(query)).toHaveLength(1);
    }
  });
});
