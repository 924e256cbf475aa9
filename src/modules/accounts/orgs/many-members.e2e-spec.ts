import { startApp, type TestApp } from '../../../../test/setup/app.js';
import {
  defaultInstance,
  makeInstance,
  makeInstanceMember,
  makeOrg,
  makeUser,
  tokenOf,
  type TestUser,
} from '../../../../test/make/make.js';
import { rowsReadBy } from '../../../../test/suites/plans.js';
import { freshDatabase, type FreshDatabase } from '../../../../test/setup/fresh-database.js';
import { statementCounter } from '../../../../test/suites/statements.js';
import { MAX_INSTANCES } from '../../../platform/access/memberships.js';
import { MAX_MEMBERS } from '../instance-members/instance-member.resource.js';
import { MAX_ORGS } from '../instance-sandboxes/instance-sandbox.resource.js';
import { MAX_INVITES } from './org-invite.resource.js';
import { MAX_EMBEDDED_MEMBERS } from './org.resource.js';

const MEMBERS = 5_000;
/** Users who are not members. */
const OTHERS = 6_000;

let database: FreshDatabase;
let test: TestApp;
let send: ReturnType<typeof statementCounter>;
let admin: TestUser;
/** Organization with its admin and 4999 other members. */
let org: { id: string };
const userId = (n: number) => n.toString(16).padStart(24, '0');

beforeAll(async () => {
  database = await freshDatabase({ migrated: true });
  test = await startApp({ PROCESS_ROLE: 'api', LOG_LEVEL: 'fatal' }, { databaseUrl: database.url });
  send = statementCounter(test);
  admin = await makeUser(test);
  org = await makeOrg(test, admin.token);
  await test.dataSource.query(
    `INSERT INTO users (id, instance_id, email, email_verified, sso_linked, creation_date, last_updated)
     SELECT lpad(to_hex(n), 24, '0'), $1, 'user' || n || '@example.com', true, false, now(), now()
     FROM generate_series(1, ${MEMBERS + OTHERS}) n`,
    [await defaultInstance(test)],
  );
  // The plans of triggers depend on the statistics of the tables that they read.
  await test.dataSource.query('ANALYZE users');
  await join(org.id, 1, MEMBERS - 1);
  await test.dataSource.query('ANALYZE org_members');
}, 120_000);
afterAll(async () => {
  await test.close();
  await database.drop();
});

/** Adds the users with these numbers as members. */
const join = (orgId: string, from: number, to: number) =>
  test.dataSource.query(
    `INSERT INTO org_members (org_id, user_id, role, creation_date)
     SELECT $1, lpad(to_hex(n), 24, '0'), 'view', now() FROM generate_series($2::int, $3::int) n`,
    [orgId, from, to],
  );

describe('An organization with 5000 members', () => {
  it('is returned with all of them, each read by key', async () => {
    const { body, sent } = await send('GET', `/orgs/${org.id}`, admin.token);
    expect(body.members).toHaveLength(MEMBERS);
    expect(body.summary.memberCount).toBe(MEMBERS);
    const { users, org_members } = await rowsReadBy(test.dataSource, sent.at(-1)!);
    expect(users).toBeLessThanOrEqual(MEMBERS);
    expect(org_members).toBeLessThanOrEqual(MEMBERS);
  });

  it('is listed without them, and reads no more of them than the list could contain', async () => {
    const small = await makeOrg(test, admin.token);
    const { body, sent } = await send('GET', '/orgs', admin.token);
    const found = (id: string) => body.items.find((item: { id: string }) => item.id === id);
    expect(found(org.id)).not.toHaveProperty('members');
    expect(found(org.id).summary.memberCount).toBe(MEMBERS);
    expect(found(small.id).members).toMatchObject([{ userId: admin.id }]);
    const { users = 0 } = await rowsReadBy(test.dataSource, sent.at(-1)!);
    expect(users).toBeLessThanOrEqual(body.items.length * (MAX_EMBEDDED_MEMBERS + 1));
  });

  it('is returned without them when a role in it or the organization itself changes', async () => {
    const member = { userId: userId(7), role: 'edit' };
    const changed = await send('PATCH', `/orgs/${org.id}/member`, admin.token, member);
    expect(changed.status).toBe(200);
    expect(changed.body).not.toHaveProperty('members');
    const { users = 0, org_members = 0 } = await rowsReadBy(test.dataSource, changed.sent.at(-1)!);
    expect(users + org_members).toBeLessThanOrEqual(2 * (MAX_EMBEDDED_MEMBERS + 1));
    const patched = await send('PATCH', `/orgs/${org.id}`, admin.token, { description: 'Many' });
    expect(patched.body).not.toHaveProperty('members');
    const { body } = await send('GET', `/orgs/${org.id}`, admin.token);
    expect(body.members.find((one: { userId: string }) => one.userId === member.userId)).toMatchObject(
      member,
    );
  });

  it('includes up to 100 members', async () => {
    const { id } = await makeOrg(test, admin.token);
    const members = async () =>
      (await send('PATCH', `/orgs/${id}`, admin.token, { description: 'Some' })).body.members?.length;
    await join(id, 1, MAX_EMBEDDED_MEMBERS - 1);
    expect(await members()).toBe(MAX_EMBEDDED_MEMBERS);
    await join(id, MAX_EMBEDDED_MEMBERS, MAX_EMBEDDED_MEMBERS);
    expect(await members()).toBeUndefined();
  });

  it('accepts at most 10,000 members, unless its limits allow more', async () => {
    const { token, instanceId } = await makeInstanceMember(test, 'admin');
    const { id } = await makeOrg(test, admin.token);
    const path = `/instances/${instanceId}/orgs/${id}`;
    const add = (n: number) =>
      test.client.post(`${path}/members`, { userId: userId(n), role: 'view' }, { token });
    await join(id, 1, 9_998);
    expect((await add(10_000)).status).toBe(200);
    const refused = { status: 400, body: { message: 'The limit of 10000 members is reached' } };
    expect(await add(10_001)).toMatchObject(refused);
    const invite = { email: 'new@example.com', role: 'view' };
    expect(await test.client.post(`/orgs/${id}/invites`, invite, { token: admin.token })).toMatchObject(
      refused,
    );
    expect((await test.client.patch(path, { limits: { member: 10_001 } }, { token })).status).toBe(200);
    expect((await add(10_001)).status).toBe(200);
    const { body } = await test.client.get(`${path}/members`, { token });
    expect(body.count).toBe(10_001);
  });
});

describe('The invitations of an organization', () => {
  it('are limited to 1000 and all listed; expired ones count, and a replaced one is not counted again', async () => {
    const { id } = await makeOrg(test, admin.token);
    await test.dataSource.query(
      `INSERT INTO org_invites (id, org_id, email, role, application_roles, dashboard_roles, disallow_transfer, invite_date, token_hash)
       SELECT lpad(to_hex(n), 24, '0'), $1, 'guest' || n || '@example.com', 'view', '[]', '[]', false,
         now() - n % 2 * interval '8 days', 'hash' || n FROM generate_series(1, $2::int) n`,
      [id, MAX_INVITES - 1],
    );
    const path = `/orgs/${id}/invites`;
    const invite = (email: string) => test.client.post(path, { email, role: 'edit' }, { token: admin.token });
    const last = await invite('last@example.com');
    expect([last.status, last.body.length]).toEqual([200, MAX_INVITES]);
    const refused = await invite('more@example.com');
    expect(refused).toMatchObject({ status: 400, body: { message: /^invite cannot be created: 1000 / } });
    const renewed = await invite('guest1@example.com');
    expect([renewed.status, renewed.body.length]).toEqual([200, MAX_INVITES]);
    await test.client.delete(`${path}?inviteId=${userId(2)}`, { token: admin.token });
    expect((await invite('more@example.com')).status).toBe(200);
  });
});

describe('A user in very many organizations', () => {
  it('is returned without them to members of the instance', async () => {
    const { token, instanceId } = await makeInstanceMember(test, 'view');
    const path = `/instances/${instanceId}/sandboxes/${admin.id}`;
    const shown = async () =>
      (await test.client.get(path, { token })).body.orgs?.length as number | undefined;
    const before = (await shown())!;
    const fill = (count: number) =>
      test.dataSource.query(
        `WITH made AS (INSERT INTO orgs (id, instance_id, name, creation_date, last_updated, is_read_only)
           SELECT substr(md5(random()::text || n), 1, 24), $1, 'org', now(), now(), false
           FROM generate_series(1, $2::int) n RETURNING id)
         INSERT INTO org_members (org_id, user_id, role, creation_date) SELECT id, $3, 'view', now() FROM made`,
        [instanceId, count, admin.id],
      );
    await fill(MAX_ORGS - before);
    expect(await shown()).toBe(MAX_ORGS);
    await fill(1);
    expect(await shown()).toBeUndefined();
    const query = encodeURIComponent(JSON.stringify({ memberId: admin.id }));
    const { body } = await test.client.get(`/instances/${instanceId}/orgs?query=${query}`, { token });
    expect(body.totalCount).toBe(MAX_ORGS + 1);
  });
});

describe('The members of an instance', () => {
  /** Creates an instance of which the caller is an admin. */
  async function run() {
    const instance = await makeInstance(test);
    const { token } = await makeInstanceMember(test, 'admin', { instanceId: instance.id });
    const add = (n: number) =>
      test.client.post(`/instances/${instance.id}/members`, { userId: userId(n), role: 'view' }, { token });
    return { ...instance, token, add };
  }

  it('are limited to 1000 and all listed', async () => {
    const { id, token, add } = await run();
    await test.dataSource.query(
      `INSERT INTO instance_members (instance_id, user_id, role)
       SELECT $1, lpad(to_hex(n), 24, '0'), 'view' FROM generate_series(1, $2::int) n`,
      [id, MAX_MEMBERS - 2],
    );
    expect((await add(5_000)).status).toBe(200);
    expect(await add(5_001)).toMatchObject({
      status: 400,
      body: { message: /^instanceMember cannot be added/ },
    });
    expect((await test.client.get(`/instances/${id}`, { token })).body.members).toHaveLength(MAX_MEMBERS);
    const listed = await test.client.get(`/instances/${id}/members`, { token });
    expect(listed.body.count).toBe(MAX_MEMBERS);
  });

  it('can be in at most 1000 instances', async () => {
    await test.dataSource.query(
      `WITH made AS (INSERT INTO instances (id, name, creation_date, last_updated, allow_audit_logging)
         SELECT substr(md5(random()::text || n), 1, 24), 'instance', now(), now(), true
         FROM generate_series(1, $1::int) n RETURNING id)
       INSERT INTO instance_members (instance_id, user_id, role) SELECT id, $2, 'view' FROM made`,
      [MAX_INSTANCES - 1, userId(6_000)],
    );
    expect((await (await run()).add(6_000)).status).toBe(200);
    expect(await (await run()).add(6_000)).toMatchObject({
      status: 400,
      body: { message: /^instanceMember is in 1000 instances already/ },
    });
    const { body } = await test.client.get('/instances', { token: tokenOf(test, userId(6_000)) });
    expect(body.totalCount).toBe(MAX_INSTANCES);
  });
});
