import { startApp, type TestApp } from '../../../test/setup/app.js';
import {
  defaultInstance,
  makeApplication,
  makeUser,
  tokenOf,
  type TestUser,
} from '../../../test/make/make.js';
import { planOf, rowsReadBy } from '../../../test/suites/plans.js';
import { freshDatabase, type FreshDatabase } from '../../../test/setup/fresh-database.js';
import { statementCounter, type Sent } from '../../../test/suites/statements.js';
import { MAX_CACHED_MEMBERSHIPS } from './memberships.js';

/** Number of organizations of the calling user, and of organizations of others. Each owns an application. */
const MINE = 10_000;
const OTHERS = 30_000;
/**
 * Maximum number of rows that a statement may read from a table to authorize access to one place: the row itself, and
 * the rows that a subquery reads again.
 */
const ONE_PLACE = 5;

/** The user belongs to 10,000 organizations; one in 200 of them gives the user no role. */
describe('A member of 10,000 organizations', () => {
  let database: FreshDatabase;
  let test: TestApp;
  let send: ReturnType<typeof statementCounter>;
  let user: TestUser;
  let lives = 4000;
  const orgId = (n: number) => n.toString(16).padStart(24, '0');
  const applicationId = (n: number) => `a${n.toString(16).padStart(23, '0')}`;
  /** Returns a token that is not cached yet. */
  const unseen = () => tokenOf(test, user.id, ['all.User'], lives++);

  beforeAll(async () => {
    database = await freshDatabase({ migrated: true });
    test = await startApp({ PROCESS_ROLE: 'api', LOG_LEVEL: 'fatal' }, { databaseUrl: database.url });
    send = statementCounter(test);
    user = await makeUser(test);
    const other = await makeUser(test);
    const { dataSource } = test;
    await dataSource.query(
      `INSERT INTO orgs (id, instance_id, name, creation_date, last_updated, mfa_mode, is_read_only, audit_log_enabled)
       SELECT lpad(to_hex(n), 24, '0'), $1, 'org ' || n, now(), now(), 'notRequired', false, true
       FROM generate_series(1, ${MINE + OTHERS}) n`,
      [await defaultInstance(test)],
    );
    await dataSource.query(
      `INSERT INTO org_members (org_id, user_id, role, creation_date)
       SELECT lpad(to_hex(n), 24, '0'), $1, (CASE WHEN n % 200 = 0 THEN 'none' ELSE 'collaborate' END)::role, now()
       FROM generate_series(1, ${MINE}) n
       UNION ALL SELECT lpad(to_hex(n), 24, '0'), $2, 'admin', now() FROM generate_series(1, ${MINE + OTHERS}) n`,
      [user.id, other.id],
    );
    await dataSource.query(
      `INSERT INTO applications (id, owner_id, owner_type, name, creation_date, last_updated)
       SELECT 'a' || lpad(to_hex(n), 23, '0'), lpad(to_hex(n), 24, '0'), 'organization', 'app ' || n, now(), now()
       FROM generate_series(1, ${MINE + OTHERS}) n`,
    );
    for (const table of ['orgs', 'org_members', 'applications']) await dataSource.query(`ANALYZE ${table}`);
  }, 120_000);
  afterAll(async () => {
    await test.close();
    await database.drop();
  });

  /** Returns the largest number of membership rows that any of the statements reads. */
  async function membershipsRead(sent: readonly Sent[]): Promise<number> {
    const reads = await Promise.all(sent.map((statement) => rowsReadBy(test.dataSource, statement)));
    return Math.max(...reads.map(({ org_members = 0 }) => org_members));
  }

  it.each([
    ['an application', () => `/applications/${applicationId(7)}/readme`],
    ['an application that the guard leaves to its statement', () => `/applications/${applicationId(7)}`],
    ['an organization', () => `/orgs/${orgId(7)}`],
  ])('reads only the membership for the place in the path, along with the token: %s', async (_, path) => {
    const { status, sent } = await send('GET', path(), unseen());
    expect(status).toBe(200);
    expect(sent).toHaveLength(2);
    expect(await membershipsRead(sent)).toBeLessThanOrEqual(ONE_PLACE);
  });

  it('reads only the membership if the token is cached, and nothing on the next request', async () => {
    const token = unseen();
    await send('GET', `/applications/${applicationId(11)}/readme`, token);
    for (const path of [`/applications/${applicationId(12)}/readme`, `/orgs/${orgId(13)}`]) {
      const first = await send('GET', path, token);
      expect([first.status, first.sent.length]).toEqual([200, 2]);
      expect(await membershipsRead(first.sent.slice(0, 1))).toBeLessThanOrEqual(ONE_PLACE);
      expect((await send('GET', path, token)).sent).toHaveLength(1);
    }
  });

  it('is rejected if the user is not a member, or has no role', async () => {
    const token = unseen();
    for (const n of [200, MINE + 1]) {
      for (const path of [
        `/applications/${applicationId(n)}/readme`,
        `/applications/${applicationId(n)}`,
        `/orgs/${orgId(n)}`,
      ])
        expect((await send('GET', path, token)).status).toBe(404);
      const patch = await send('PATCH', `/applications/${applicationId(n)}`, token, { name: 'mine' });
      expect(patch.status).toBe(404);
      const post = await send('POST', '/applications', token, { name: 'mine', orgId: orgId(n) });
      expect(post.status).toBe(404);
    }
  });

  it('changes an application in a single statement that reads one membership', async () => {
    const token = unseen();
    const { status, sent } = await send('PATCH', `/applications/${applicationId(21)}`, token, {
      name: 'new',
    });
    expect(status).toBe(200);
    expect(sent).toHaveLength(2);
    const plan = await planOf(test.dataSource, sent[1]!.text, sent[1]!.values);
    expect(plan.filter((node) => /Seq Scan/.test(node))).toEqual([]);
  });

  it('reads only a few memberships if the path names no place', async () => {
    const { status, sent } = await send('GET', '/me', unseen());
    expect(status).toBe(200);
    expect(await membershipsRead(sent)).toBeLessThanOrEqual(MAX_CACHED_MEMBERSHIPS + 2);
  });

  it('lists recent items that the user can still see', async () => {
    const token = unseen();
    const add = (itemType: string, itemId: string) =>
      send('POST', '/me/recentItems', token, { itemType, itemId });
    for (const n of [31, 32]) {
      expect((await add('application', applicationId(n))).status).toBe(200);
      expect((await add('organization', orgId(n))).status).toBe(200);
    }
    expect((await add('application', applicationId(200))).status).toBe(400);
    const { body, sent } = await send('GET', '/me/recentItems?itemType=application', token);
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual([applicationId(32), applicationId(31)]);
    expect(await membershipsRead(sent)).toBeLessThanOrEqual(ONE_PLACE);
  });

  it('lists only the user’s applications, found by their owners', async () => {
    const token = unseen();
    const own = await makeApplication(test, token);
    const { status, body, sent } = await send('GET', '/applications?perPage=3&sortField=id', token);
    expect(status).toBe(200);
    const seen = MINE - MINE / 200 + 1;
    expect(body.totalCount).toBe(seen);
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual(
      [own.id, applicationId(1), applicationId(2)].sort(),
    );
    const { applications } = await rowsReadBy(test.dataSource, sent.at(-1)!);
    // One pass to count and one to sort: each of the user's applications twice, and none of the others.
    expect(applications).toBeLessThanOrEqual(2 * (MINE + 1) + 3);
  });

  it('lists the applications of one organization without reading the others', async () => {
    const { body, sent } = await send('GET', `/applications?orgId=${orgId(41)}`, unseen());
    expect(body.items).toMatchObject([{ id: applicationId(41) }]);
    expect((await rowsReadBy(test.dataSource, sent.at(-1)!)).applications).toBeLessThanOrEqual(3);
    const stranger = await send('GET', `/applications?orgId=${orgId(MINE + 1)}`, unseen());
    expect(stranger.body).toMatchObject({ items: [], totalCount: 0 });
  });

  it('lists the user’s organizations, found by their memberships', async () => {
    const { status, body, sent } = await send('GET', '/orgs?perPage=2', unseen());
    expect(status).toBe(200);
    expect(body).toMatchObject({ count: 2, totalCount: MINE - MINE / 200 });
    const { orgs } = await rowsReadBy(test.dataSource, sent.at(-1)!);
    expect(orgs).toBeLessThanOrEqual(2 * MINE + 2);
  });
});
