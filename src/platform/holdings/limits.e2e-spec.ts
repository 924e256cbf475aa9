import {
  makeApplication,
  makeInstance,
  makeMember,
  makeOrg,
  makeUser,
  uniqueName,
} from '../../../test/make/make.js';
import { Database } from '../database/database.js';
import { DEFAULT_LIMITS, assertWithinLimit, type LimitedOwner, type LimitName } from './limits.js';
import { suite } from '../../../test/setup/suite.js';

const { test } = suite();

const counts = (answers: readonly { status: number }[]) => {
  const made = answers.filter(({ status }) => status === 201).length;
  const refused = answers.filter(({ status }) => status === 400).length;
  return [made, refused];
};
const setLimits = ({ table, id }: LimitedOwner, limits: object | null) =>
  test.dataSource.query(`UPDATE ${table} SET limits = $2 WHERE id = $1`, [id, limits]);

describe('assertWithinLimit', () => {
  const demand = (owner: LimitedOwner, limit: LimitName, used: string) =>
    test.app.get(Database).transaction(({ manager }) => assertWithinLimit(manager, owner, limit, used));

  /** Returns an owner of each kind. */
  async function owners(): Promise<LimitedOwner[]> {
    const instance = await makeInstance(test);
    const user = await makeUser(test, { instanceId: instance.id });
    const org = await makeOrg(test, user.token);
    return [
      { table: 'instances', id: instance.id },
      { table: 'users', id: user.id },
      { table: 'orgs', id: org.id },
    ];
  }

  it('accepts owners of every kind below the limit', async () => {
    for (const owner of await owners()) {
      await setLimits(owner, { device: 2 });
      await expect(demand(owner, 'device', '1')).resolves.toBeUndefined();
      for (const used of ['2', '3', `CASE WHEN t.id = '${owner.id}' THEN 2 ELSE 0 END`])
        await expect(demand(owner, 'device', used)).rejects.toMatchObject({
          status: 400,
          type: 'Validation',
          message: 'The limit of 2 devices is reached',
        });
      await expect(demand(owner, 'file', '1000')).resolves.toBeUndefined();
    }
  });

  it('treats 0 as none allowed, and absent limits as unlimited', async () => {
    for (const owner of await owners()) {
      await setLimits(owner, { flow: 0 });
      await expect(demand(owner, 'flow', '0')).rejects.toThrow('The limit of 0 workflows is reached');
      await setLimits(owner, { flow: null });
      await expect(demand(owner, 'flow', '1000')).resolves.toBeUndefined();
      await setLimits(owner, null);
      await expect(demand(owner, 'flow', '1000')).resolves.toBeUndefined();
    }
  });

  it.each<[LimitName, string]>([
    ['apitoken', 'API tokens'],
    ['member', 'members'],
    ['organization', 'organizations'],
    ['instanceApiToken', 'API tokens of the instance'],
  ])('names %s as the limit of %s', async (limit, what) => {
    const [owner] = await owners();
    await setLimits(owner!, { [limit]: 1 });
    await expect(demand(owner!, limit, '1')).rejects.toThrow(`The limit of 1 ${what} is reached`);
  });

  it('locks the row of a limited owner until the transaction ends, and no other rows', async () => {
    const [owner] = await owners();
    const { table, id } = owner!;
    const take = () =>
      test.dataSource.query<unknown[]>(`SELECT FROM ${table} WHERE id = $1 FOR UPDATE NOWAIT`, [id]);
    const during = (limit: LimitName) =>
      test.app.get(Database).transaction(async ({ manager }) => {
        await assertWithinLimit(manager, owner!, limit, '0');
        return take().then(
          () => 'free',
          () => 'taken',
        );
      });
    await setLimits(owner!, { device: 1 });
    expect(await during('device')).toBe('taken');
    expect(await during('file')).toBe('free');
    expect(await take()).toHaveLength(1);
  });
});

describe('The application limit', () => {
  const REFUSED = {
    status: 400,
    body: { type: 'Validation', message: 'The limit of 2 applications is reached' },
  };
  const create = (token: string, body: object = {}) =>
    test.client.post('/applications', { name: uniqueName(), ...body }, { token });

  it('applies to sandboxes and not to organizations, and is released by deletions', async () => {
    const { token } = await makeUser(test, { limits: { application: 2 } });
    const [first] = [await makeApplication(test, token), await makeApplication(test, token)];
    expect(await create(token)).toMatchObject(REFUSED);
    const org = await makeOrg(test, token);
    for (let i = 0; i < 3; i++) expect((await create(token, { orgId: org.id })).status).toBe(201);
    expect((await test.client.delete(`/applications/${first.id}`, { token })).status).toBe(200);
    expect(counts([await create(token), await create(token)])).toEqual([1, 1]);
  });

  it('applies to all members of an organization, but not to their sandboxes', async () => {
    const org = await makeOrg(test, (await makeUser(test)).token);
    await setLimits({ table: 'orgs', id: org.id }, { application: 2 });
    const [one, two] = [await makeMember(test, org.id, 'edit'), await makeMember(test, org.id, 'admin')];
    expect((await create(one.token, { orgId: org.id })).status).toBe(201);
    expect((await create(two.token, { orgId: org.id.toUpperCase() })).status).toBe(201);
    for (const { token } of [one, two]) {
      expect(await create(token, { orgId: org.id })).toMatchObject(REFUSED);
      expect((await create(token)).status).toBe(201);
    }
  });

  it.each(['sandbox', 'organization'])('applies in a %s to concurrent requests', async (owner) => {
    const limits = { application: 3 };
    const user = await makeUser(test, owner === 'sandbox' ? { limits } : {});
    let { token } = user;
    let orgId: string | undefined;
    if (owner === 'organization') {
      orgId = (await makeOrg(test, token)).id;
      await setLimits({ table: 'orgs', id: orgId! }, limits);
      ({ token } = await makeMember(test, orgId!, 'edit'));
    }
    const answers = await Promise.all(Array.from({ length: 12 }, () => create(token, { orgId })));
    expect(counts(answers)).toEqual([3, 9]);
    const listed = await test.client.get(`/applications?orgId=${orgId ?? ''}`, { token });
    expect(listed.body.totalCount).toBe(3);
  });

  it('does not change responses, conflicting slugs or the audit log', async () => {
    const owner = await makeUser(test);
    const org = await makeOrg(test, owner.token);
    const free = await makeApplication(test, owner.token, { orgId: org.id });
    await setLimits({ table: 'orgs', id: org.id }, { application: 10 });
    const { token } = await makeMember(test, org.id, 'edit');
    const endpointSlug = uniqueName('slug');
    const { body } = await create(token, { orgId: org.id, endpointSlug });
    expect(Object.keys(body).sort()).toEqual([...Object.keys(free), 'endpointSlug'].sort());
    expect(await create(token, { orgId: org.id, endpointSlug })).toMatchObject({
      status: 400,
      body: { message: 'application.endpointSlug is not available' },
    });
    const entries: unknown = await test.dataSource.query(
      `SELECT primary_target_id FROM audit_logs WHERE org_id = $1 AND request_resource = 'applications' ORDER BY id`,
      [org.id],
    );
    expect(entries).toEqual([{ primary_target_id: free.id }, { primary_target_id: body.id }]);
  });
});

describe('The organization limit', () => {
  const create = (token: string) => test.client.post('/orgs', { name: uniqueName() }, { token });

  it('applies to the instance as a whole, including concurrent requests', async () => {
    const instance = await makeInstance(test, { limits: { organization: 3 } });
    const users = await Promise.all(
      Array.from({ length: 4 }, () => makeUser(test, { instanceId: instance.id })),
    );
    const answers = await Promise.all([...users, ...users].map(({ token }) => create(token)));
    expect(counts(answers)).toEqual([3, 5]);
    expect((await create(users[0]!.token)).body).toEqual({
      type: 'Validation',
      message: 'The limit of 3 organizations is reached',
    });
    const gone = answers.find(({ status }) => status === 201)!.body.id;
    await test.dataSource.query('UPDATE orgs SET deleted_at = now() WHERE id = $1', [gone]);
    const { token } = users[0]!;
    expect(counts([await create(token), await create(token)])).toEqual([1, 1]);
    expect((await create((await makeUser(test)).token)).status).toBe(201);
  });
});

describe('Limits of a new organization', () => {
  it.each([[{ application: 1, dataTTL: 86_400 }], [{}]])(
    'are the defaults of the instance: %j',
    async (limits) => {
      const instance = await makeInstance(test, { orgDefaultLimitConfig: limits });
      const { token } = await makeUser(test, { instanceId: instance.id });
      expect((await makeOrg(test, token)).limits).toEqual(limits);
    },
  );

  it('are the platform defaults if the instance has none, effective immediately', async () => {
    const plain = await makeInstance(test);
    const { token } = await makeUser(test, { instanceId: plain.id });
    expect((await makeOrg(test, token)).limits).toEqual(DEFAULT_LIMITS);
    const strict = await makeInstance(test, { orgDefaultLimitConfig: { application: 0 } });
    const user = await makeUser(test, { instanceId: strict.id });
    const { id: orgId } = await makeOrg(test, user.token);
    const answer = await test.client.post('/applications', { name: 'a', orgId }, { token: user.token });
    expect(answer.body.message).toBe('The limit of 0 applications is reached');
  });
});
