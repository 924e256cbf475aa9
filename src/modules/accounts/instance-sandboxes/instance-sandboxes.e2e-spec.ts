import {
  defaultInstance,
  makeApplication,
  makeInstanceMember,
  makeOrg,
  makeUser,
  tokenOf,
  uniqueName,
} from '../../../../test/make/make.js';
import { statementCounter } from '../../../../test/suites/statements.js';
import { suite } from '../../../../test/setup/suite.js';
import { usualCounts } from '../../../../test/make/summaries.js';
import { newId } from '../../../platform/repositories/resource.js';
import { Instance } from '../instances/instance.resource.js';
import { InstanceMember } from '../instance-members/instance-member.resource.js';
import { User } from '../users/user.entity.js';

const { test } = suite();
let send: ReturnType<typeof statementCounter>;
beforeAll(() => {
  send = statementCounter(test);
});

/** Creates a separate instance with a member with read access and the given users. */
async function makeInstance(users: readonly Partial<User>[] = []) {
  const now = new Date();
  const id = newId();
  await test.dataSource.manager.insert(Instance, {
    id,
    name: uniqueName('instance'),
    allowAuditLogging: true,
    creationDate: now,
    lastUpdated: now,
  });
  const viewer = await makeUser(test);
  await test.dataSource.manager.insert(InstanceMember, { instanceId: id, userId: viewer.id, role: 'view' });
  const made = [];
  for (const user of users) made.push(await makeUser(test, { instanceId: id, ...user }));
  const list = (query = '') => test.client.get(`/instances/${id}/sandboxes${query}`, { token: viewer.token });
  return { id, viewer, users: made, ids: made.map((user) => user.id), list };
}

const idsOf = ({ body }: { body: any }): string[] => body.items.map(({ id }: { id: string }) => id);

describe('The sandboxes of an instance', () => {
  it('represent its users, sorted by email address, without secrets', async () => {
    const email = uniqueName();
    const { id, users, list } = await makeInstance([
      { email: `${email}-b@example.com`, twoFactorKey: 'sealed', codehostId: uniqueName() },
      { email: `${email}-a@example.com`, firstName: 'Ada', lastName: 'Lovelace', emailVerified: false },
    ]);
    const { status, body } = await list();
    expect(status).toBe(200);
    const [second, first] = users;
    const common = {
      instanceId: id,
      creationDate: expect.any(String),
      lastUpdated: expect.any(String),
      ssoLinked: false,
      failedLoginCount: 0,
      orgs: [],
      summary: usualCounts(test.document, 'SandboxSummary'),
    };
    expect(body).toEqual({
      items: [
        {
          ...common,
          id: first!.id,
          instanceSandboxId: first!.id,
          email: first!.email,
          emailVerified: false,
          needsToVerifyEmail: true,
          twoFactorAuthEnabled: false,
          firstName: 'Ada',
          lastName: 'Lovelace',
          fullName: 'Ada Lovelace',
        },
        {
          ...common,
          id: second!.id,
          instanceSandboxId: second!.id,
          email: second!.email,
          emailVerified: true,
          needsToVerifyEmail: false,
          twoFactorAuthEnabled: true,
        },
      ],
      count: 2,
      limit: 100,
      hasMore: false,
      sortField: 'email',
      sortDirection: 'asc',
    });
    expect(JSON.stringify(body)).not.toMatch(/sealed|argon2/);
  });

  it('include organizations and counts, in a single statement', async () => {
    const { id, viewer, users, list } = await makeInstance([{}, {}]);
    const [user] = users;
    const [b, a] = [
      await makeOrg(test, user!.token, { name: 'b' }),
      await makeOrg(test, user!.token, { name: 'a', iconColor: '#abc' }),
    ];
    const gone = await makeOrg(test, user!.token);
    await test.client.delete(`/orgs/${gone.id}`, { token: user!.token });
    await makeApplication(test, user!.token);
    await list();
    const path = `/instances/${id}/sandboxes?filter=${user!.email}&summaryInclude=appCount,orgCount,instanceCount`;
    const { body, statements } = await send('GET', path, viewer.token);
    expect(body).toMatchObject({
      count: 1,
      filterField: 'email',
      filter: user!.email,
      items: [
        {
          orgs: [
            { id: a.id, name: 'a', iconColor: '#abc' },
            { id: b.id, name: 'b' },
          ],
          summary: { appCount: 1, orgCount: 2, instanceCount: 0 },
        },
      ],
    });
    expect(statements).toHaveLength(1);
  });

  it('exclude those of other instances', async () => {
    const [one, two] = [await makeInstance([{}]), await makeInstance([{}])];
    expect(idsOf(await one.list())).toEqual(one.ids);
    expect((await one.list(`?startingAfterId=${two.ids[0]}`)).status).toBe(400);
    const path = `/instances/${two.id}/sandboxes`;
    expect((await test.client.get(path, { token: one.viewer.token })).status).toBe(404);
  });

  it('exclude deleted ones by default', async () => {
    const marks = { permanentDeletion: new Date(), dataDeletion: new Date(Date.now() + 3600_000) };
    const email = `${uniqueName()}@example.com`;
    const { list, ids } = await makeInstance([
      { email },
      { email, ...marks },
      { email: `z${email}`, ...marks },
    ]);
    expect(idsOf(await list())).toEqual([ids[0]]);
    const { body } = await list('?includeDeleted=true');
    expect(idsOf({ body })).toEqual(ids);
    expect(body.items[1]).toMatchObject({
      permanentDeletion: marks.permanentDeletion.toISOString(),
      dataDeletion: marks.dataDeletion.toISOString(),
    });
    expect(body.items[0]).not.toHaveProperty('permanentDeletion');
    expect(idsOf(await list(`?startingAfterId=${ids[1]}`))).toEqual([]);
    expect(idsOf(await list(`?endingBeforeId=${ids[2]}`))).toEqual([ids[0]]);
  });

  it('can be filtered', async () => {
    const { list, ids } = await makeInstance([
      { firstName: 'Ada', lastName: 'Lovelace' },
      { firstName: 'Grace', lastName: 'Hopper' },
      { firstName: '100%' },
    ]);
    expect(idsOf(await list('?filterField=firstName&filter=a*'))).toEqual([ids[0]]);
    expect(idsOf(await list('?filterField=lastName&filter=HOPPER'))).toEqual([ids[1]]);
    expect(idsOf(await list('?filterField=firstName&filter=100%25'))).toEqual([ids[2]]);
    expect((await list('?filterField=firstName&filter=none')).body).toMatchObject({
      items: [],
      hasMore: false,
    });
  });

  const SORTS: Partial<Record<keyof User, unknown[]>> = {
    firstName: [undefined, 'a', 'a', 'b', undefined],
    lastName: ['x', undefined, 'y', 'y', 'z'],
    lastSuccessfulLogin: [null, 1, 3, 2, null].map((day) => day && new Date(day * 86_400_000)),
    lastFailedLogin: [5, null, null, null, 1].map((day) => day && new Date(day * 86_400_000)),
    failedLoginCount: [0, 3, 3, 1, 0],
    creationDate: [9, 9, 8, 7, 7].map((day) => new Date(day * 86_400_000)),
    lastUpdated: [1, 2, 3, 2, 1].map((day) => new Date(day * 86_400_000)),
    email: ['e', 'd', 'c', 'b', 'a'].map((name) => `${uniqueName(name)}@example.com`),
    id: [0, 0, 0, 0, 0].map(() => newId()),
  };
  it.each(Object.keys(SORTS) as (keyof User)[])(
    'can be sorted by %s and paged in both directions',
    async (field) => {
      const values = SORTS[field]!;
      const { list, ids } = await makeInstance(values.map((value) => ({ [field]: value })));
      const keyOf = (value: unknown) =>
        value instanceof Date ? value.getTime() : (value ?? (field.endsWith('Name') ? '' : -Infinity));
      const order = ids
        .map((id, i) => ({ id, key: keyOf(values[i]) as string | number }))
        .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.id < b.id ? -1 : 1))
        .map(({ id }) => id);
      for (const [direction, sorted] of [
        ['asc', order],
        ['DESC', order.toReversed()],
      ] as const) {
        const sort = `?sortField=${field}&sortDirection=${direction}`;
        expect(idsOf(await list(sort))).toEqual(sorted);
        for (const limit of [1, 2, 5]) {
          const seen: string[] = [];
          for (let last = ''; ; last = seen.at(-1)!) {
            const { body } = await list(`${sort}&limit=${limit}${last ? `&startingAfterId=${last}` : ''}`);
            seen.push(...idsOf({ body }));
            expect(body).toMatchObject({ limit, sortField: field, hasMore: seen.length < sorted.length });
            if (last) expect(body.startingAfterId).toBe(last);
            if (!body.hasMore) break;
          }
          expect(seen).toEqual(sorted);
        }
        const before = (await list(`${sort}&limit=2&endingBeforeId=${sorted[3]!.toUpperCase()}`)).body;
        expect(idsOf({ body: before })).toEqual(sorted.slice(1, 3));
        expect(before).toMatchObject({ hasMore: true, endingBeforeId: sorted[3], count: 2 });
        const first = (await list(`${sort}&limit=2&endingBeforeId=${sorted[2]}`)).body;
        expect(idsOf({ body: first })).toEqual(sorted.slice(0, 2));
        expect(first.hasMore).toBe(false);
        expect(idsOf(await list(`${sort}&startingAfterId=${sorted.at(-1)}`))).toEqual([]);
        expect(idsOf(await list(`${sort}&endingBeforeId=${sorted[0]}`))).toEqual([]);
      }
    },
  );

  it.each([
    'sortField=phoneNumber',
    'sortDirection=up',
    'limit=0',
    'limit=1001',
    'limit=x',
    'startingAfterId=x',
    'endingBeforeId=x',
    `startingAfterId=${'0'.repeat(24)}`,
    `endingBeforeId=${'0'.repeat(24)}`,
    `endingBeforeId=${'0'.repeat(24)}&startingAfterId=${'1'.repeat(24)}`,
    'includeDeleted=maybe',
    'filterField=title&filter=x',
    'summaryInclude=fooCount',
  ])('reject ?%s', async (query) => {
    const { list } = await makeInstance();
    const { status, body } = await list(`?${query}`);
    expect({ status, type: body.type }).toEqual({ status: 400, type: 'Validation' });
    expect(body.message.startsWith(query.split('=')[0]!)).toBe(true);
  });

  it('can only be listed by members of the instance', async () => {
    const instanceId = await defaultInstance(test);
    const path = `/instances/${instanceId}/sandboxes?limit=1`;
    const member = await makeInstanceMember(test, 'view');
    const admin = await makeInstanceMember(test, 'admin');
    for (const { token } of [member, admin])
      expect((await test.client.get(path, { token })).status).toBe(200);
    const { token } = await makeUser(test);
    expect((await test.client.get(path, { token })).status).toBe(404);
    expect((await test.client.get(`/instances/${newId()}/sandboxes`, { token: member.token })).status).toBe(
      404,
    );
    expect((await test.client.get('/instances/x/sandboxes', { token })).status).toBe(400);
    expect((await test.client.get(path)).status).toBe(401);
    for (const [scope, expected] of [
      ['all.Instance.read', 200],
      ['all.User.bounded', 200],
      ['instanceSandboxes.get', 200],
      ['instanceSandbox.*', 403],
      ['all.Organization', 403],
    ] as const) {
      const { status } = await test.client.get(path, { token: tokenOf(test, member.id, [scope]) });
      expect({ scope, status }).toEqual({ scope, status: expected });
    }
  });
});
