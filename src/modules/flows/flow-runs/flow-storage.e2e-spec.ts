import { makeFlow } from '../../../../test/make/flows.js';
import { makeApplication, makeMember, makeOrg, makeUser, tokenOf } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';

const MIB = 1024 * 1024;

const { test, user } = suite();
let application: any;
let flow: any;

beforeEach(async () => {
  application = await makeApplication(test, user.token);
  flow = await makeFlow(test, user.token, application.id);
});

const pathOf = (of = flow, in_ = application) => `/applications/${in_.id}/flows/${of.id}/storage`;
const set = (body: unknown, of = flow, token = user.token) => test.client.patch(pathOf(of), body, { token });
const clear = (token = user.token) => test.client.delete(pathOf(), { token });
const read = async (of = flow) => (await test.client.get(pathOf(of), { token: user.token })).body;
const metadata = async () => (await test.client.get(`${pathOf()}-metadata`, { token: user.token })).body;
const limitStorage = (bytes: number) =>
  test.dataSource.query(`UPDATE users SET limits = jsonb_build_object('storage', $2::int) WHERE id = $1`, [
    user.id,
    bytes,
  ]);

describe('Storage of a workflow', () => {
  it('is empty initially', async () => {
    expect(await read()).toEqual({});
    expect(await metadata()).toEqual({ keysCount: 0, memoryUsed: 0 });
  });

  it('stores any JSON value by key', async () => {
    const values = {
      text: 'ä',
      number: 1.5,
      none: null,
      list: [1, { a: [] }],
      flag: false,
      object: { a: 1 },
    };
    for (const [key, value] of Object.entries(values)) {
      const { status, body } = await set({ key, value });
      expect([status, body]).toEqual([200, { success: true }]);
    }
    expect(await read()).toEqual(values);
  });

  it('accepts keys with a special meaning elsewhere', async () => {
    for (const key of ['__proto__', 'constructor', 'a.b', "'; DROP TABLE flows; --", 'ü'.repeat(255)])
      expect((await set({ key, value: key })).status).toBe(200);
    const answer = await fetch(test.client.url + pathOf(), {
      headers: { authorization: `Bearer ${user.token}` },
    });
    expect(await answer.text()).toContain('"__proto__":"__proto__"');
  });

  it('replaces values per key, and deletes a key if no value is given', async () => {
    await set({ key: 'a', value: { x: 1, y: 2 } });
    await set({ key: 'b', value: 1 });
    await set({ key: 'a', value: { x: 3 } });
    expect(await read()).toEqual({ a: { x: 3 }, b: 1 });
    for (const _ of [1, 2]) expect((await set({ key: 'a' })).body).toEqual({ success: true });
    expect(await read()).toEqual({ b: 1 });
  });

  it('counts the size of keys and values in bytes', async () => {
    await set({ key: 'ä', value: 'ö' });
    await set({ key: 'n', value: 12 });
    expect(await metadata()).toEqual({ keysCount: 2, memoryUsed: 2 + 4 + 1 + 2 });
    const query = '?summaryInclude=storageStats';
    const stats = { count: 2, size: 9 };
    for (const path of [`/applications/${application.id}`, '/me'])
      expect((await test.client.get(path + query, { token: user.token })).body.summary).toEqual({
        storageStats: stats,
      });
  });

  it('can be cleared', async () => {
    const other = await makeFlow(test, user.token, application.id);
    await set({ key: 'a', value: 1 }, other);
    await set({ key: 'a', value: 1 });
    await set({ key: 'b', value: 1 });
    const { status, body } = await clear();
    expect([status, body]).toEqual([200, {}]);
    expect(await read()).toEqual({});
    expect(await read(other)).toEqual({ a: 1 });
  });

  it.each([
    [{ value: 1 }, 'flowStorageEntry.key is required'],
    [{ key: '' }, 'flowStorageEntry.key must have at least 1 characters'],
    [{ key: 'a'.repeat(256) }, 'flowStorageEntry.key must have at most 255 characters'],
    [{ key: 1 }, 'flowStorageEntry.key must be a string'],
    [{ key: 'a', ttl: 1 }, 'flowStorageEntry.ttl is not a property of flowStorageEntry'],
    [[], 'flowStorageEntry must be an object'],
  ])('rejects %j', async (body, message) => {
    const answer = await set(body);
    expect([answer.status, answer.body.message]).toEqual([400, message]);
    expect(await read()).toEqual({});
  });
});

describe('Storage limit of a workflow', () => {
  const half = 'x'.repeat(MIB / 2 - 3);

  it('is 1 MiB', async () => {
    await set({ key: 'a', value: half });
    expect((await set({ key: 'b', value: half })).status).toBe(200);
    expect(await metadata()).toEqual({ keysCount: 2, memoryUsed: MIB });
    const { status, body } = await set({ key: 'c', value: 1 });
    expect(status).toBe(400);
    expect(body.message).toMatch(/^flowStorageEntry\.value is too large/);
    expect((await set({ key: 'b', value: 1 })).status).toBe(200);
    expect((await set({ key: 'c', value: 1 })).status).toBe(200);
  });

  it('is not exceeded by concurrent requests', async () => {
    const tenth = 'x'.repeat(MIB / 10);
    for (let i = 0; i < 8; i++) await set({ key: `${i}`, value: tenth });
    const answers = await Promise.all([...'abcdefgh'].map((key) => set({ key, value: tenth })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await metadata()).keysCount).toBe(9);
  });

  it("is subject to the owner's limit, which applies to all workflows together", async () => {
    await limitStorage(20);
    const other = await makeFlow(test, user.token, (await makeApplication(test, user.token)).id);
    const elsewhere = (key: string, value: unknown) =>
      test.client.patch(pathOf(other, { id: other.applicationId }), { key, value }, { token: user.token });
    expect((await set({ key: 'a', value: '0123456' })).status).toBe(200);
    expect((await elsewhere('a', '0123456')).status).toBe(200);
    const { status, body } = await elsewhere('b', 1);
    expect([status, body.message]).toEqual([
      400,
      'The limit of 20 bytes of workflow storage and files is reached',
    ]);
    expect((await set({ key: 'a' })).status).toBe(200);
    const answers = await Promise.all([set({ key: 'b', value: '0123456' }), elsewhere('b', '0123456')]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400]);
  });
});

it('returns 404 for a workflow of another application', async () => {
  const elsewhere = await makeApplication(test, user.token);
  for (const path of [pathOf(flow, elsewhere), pathOf({ id: newId() })]) {
    for (const [method, body] of [['GET'], ['PATCH', { key: 'a', value: 1 }], ['DELETE']] as const) {
      const answer = await test.client.request(method, path, { token: user.token, body });
      expect([answer.status, answer.body.message]).toEqual([404, 'Flow was not found']);
    }
    expect((await test.client.get(`${path}-metadata`, { token: user.token })).status).toBe(404);
  }
});

describe('Storage of a workflow in an organization', () => {
  let orgId: string;
  beforeEach(async () => {
    orgId = (await makeOrg(test, user.token)).id;
    application = await makeApplication(test, user.token, { orgId });
    flow = await makeFlow(test, user.token, application.id);
  });

  it('can be read with `view` and changed with `collaborate`', async () => {
    const viewer = await makeMember(test, orgId, 'view');
    const collaborator = await makeMember(test, orgId, 'collaborate');
    for (const path of [pathOf(), `${pathOf()}-metadata`])
      expect((await test.client.get(path, { token: viewer.token })).status).toBe(200);
    expect((await set({ key: 'a', value: 1 }, flow, viewer.token)).status).toBe(403);
    expect((await clear(viewer.token)).status).toBe(403);
    expect((await set({ key: 'a', value: 1 }, flow, collaborator.token)).status).toBe(200);
    expect((await clear(collaborator.token)).status).toBe(200);
    const stranger = await makeUser(test);
    expect((await set({ key: 'a' }, flow, stranger.token)).status).toBe(404);
    expect((await clear(tokenOf(test, user.id, ['flow.getStorageEntries']))).status).toBe(403);
  });

  it('appears in the audit log when it changes', async () => {
    await set({ key: 'a', value: 1 });
    await clear();
    const entries = await test.dataSource.query(
      `SELECT * FROM audit_logs WHERE org_id = $1 AND request_action IN ('setStorageEntry', 'clearStorageEntries') ORDER BY id`,
      [orgId],
    );
    const target = { secondary_target_type: 'Flow', secondary_target_id: flow.id };
    expect(entries).toEqual([
      expect.objectContaining({ ...target, request_body: { key: 'a', value: 1 } }),
      expect.objectContaining({ ...target, primary_target_id: application.id }),
    ]);
  });
});
