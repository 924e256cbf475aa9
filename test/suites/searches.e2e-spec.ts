import { Database } from '../../src/platform/database/database.js';
import type { Search } from '../../src/platform/database/searches.js';
import { filled, requiredQuery, targetsOf, type Target } from './hostile/operations.js';
import { Schemas } from './hostile/schemas.js';
import { makeApplication, makeInstanceMember, makeUser, type TestUser } from '../make/make.js';
import { Samples } from '../contract/samples.js';
import { suite } from '../setup/suite.js';

/** Search parameters with a valid value each. */
const SEARCHES: Readonly<Record<string, string>> = {
  filter: '*a*',
  query: '{"id":{"$ne":"000000000000000000000000"}}',
  triggerFilter: '[{"type":"webhook"}]',
  tagFilter: '[{"key":"site"}]',
  auditLogFilter: '{"request":[{"resource":"org"}]}',
};
/** Lists that search no table: items within one row, and the in-memory catalogue of templates. */
const BOUNDED: ReadonlySet<string> = new Set(['deviceAttributes.get', 'applicationTemplates.get']);
/** Lists that always search, with the parameter that narrows them. */
const ALWAYS: Readonly<Record<string, string>> = { 'instance.historicalSummaries': 'filter' };
/** Lists whose page itself may take long, with the parameter that makes it smaller. */
const LONG_PAGES: Readonly<Record<string, string>> = { 'devices.getCompositeState': 'perPage' };

describe('Every list of the document', () => {
  const { test } = suite();
  let samples: Samples;
  let targets: Target[];
  beforeAll(async () => {
    samples = new Samples(test, await makeInstanceMember(test, 'admin'), 'organization');
    targets = targetsOf(test.document).filter(({ method }) => method === 'GET');
  });

  /** Returns the searches of a request. */
  async function searchesOf(path: string): Promise<Search[]> {
    const database = test.app.get(Database);
    const found: Search[] = [];
    const spies = (['search', 'list'] as 'search'[]).map((name) =>
      jest.spyOn(database, name).mockImplementation((statement, search?: Search) => {
        if (search) found.push(search);
        return Database.prototype[name].call(database, statement, search!);
      }),
    );
    await samples.send('GET', path);
    spies.forEach((spy) => spy.mockRestore());
    return found;
  }

  it('searches on behalf of its owner, only for the requested parameter', async () => {
    const found: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const { id, path, query } of targets) {
      const asked = query.filter(({ name }) => SEARCHES[name]);
      if (asked.length === 0) continue;
      const ids = await samples.idsOf(path);
      const fixed = requiredQuery(query, new Schemas(test.document));
      const orgId = ids.applicationId ? await samples.idOf('/orgs/{orgId}') : ids.orgId;
      const owner = orgId ?? ids.instanceId ?? samples.user.id;
      const unasked = asked.some(({ required }) => required) ? [] : [undefined];
      for (const parameter of [...unasked, ...asked.map(({ name }) => name)]) {
        const parameters = new URLSearchParams(fixed);
        if (parameter) parameters.set(parameter, SEARCHES[parameter]!);
        const at = `${filled(path, ids)}?${parameters.toString()}`;
        found[`${id} ${parameter}`] = await searchesOf(at);
        const searched = ALWAYS[id]
          ? [ALWAYS[id]]
          : [BOUNDED.has(id) ? undefined : parameter, LONG_PAGES[id]];
        expected[`${id} ${parameter}`] = searched.flatMap((each) =>
          each ? [{ owner, parameter: each }] : [],
        );
      }
    }
    expect(Object.keys(expected).length).toBeGreaterThan(30);
    expect(found).toEqual(expected);
  }, 60_000);
});

describe('A tenant with endless searches', () => {
  const { test } = suite({}, { database: 'own', retries: false });
  let busy: TestUser;
  let other: TestUser;
  let applicationId: string;

  beforeAll(async () => {
    busy = await makeUser(test);
    other = await makeUser(test);
    applicationId = (await makeApplication(test, busy.token)).id;
    await makeApplication(test, other.token, { name: 'mine' });
    // Makes webhooks slow to read.
    const { dataSource } = test;
    await dataSource.query('ALTER TABLE webhooks RENAME TO webhook_rows');
    await dataSource.query(`CREATE VIEW webhooks AS
      SELECT w.* FROM (SELECT pg_sleep(60)) slow LEFT JOIN webhook_rows w ON true`);
  });

  it('is asked to narrow its search or to wait, without delaying others', async () => {
    const { client } = test;
    const path = `/applications/${applicationId}/webhooks?filter=*a*`;
    const searching = Promise.all(Array.from({ length: 40 }, () => client.get(path, { token: busy.token })));
    for (const search of ['', '?filter=m*']) {
      const { status, body } = await client.get(`/applications${search}`, { token: other.token });
      expect({ status, count: body.count }).toEqual({ status: 200, count: 1 });
    }
    const answers = await searching;
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].sort()).toEqual([400, 429]);
    for (const { status, body, headers } of answers) {
      if (status === 400) expect(body.message).toMatch(/^filter took too long/);
      else expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
  }, 30_000);
});
