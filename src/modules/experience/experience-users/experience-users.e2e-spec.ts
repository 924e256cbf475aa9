import {
  makeApplication,
  makeMember,
  makeOrg,
  PASSWORD,
  tokenOf,
  uniqueName,
} from '../../../../test/make/make.js';
import { statementCounter } from '../../../../test/suites/statements.js';
import { suite } from '../../../../test/setup/suite.js';
import { experiencePasswords } from '../../../lib/crypto/passwords.js';
import { newId } from '../../../platform/repositories/resource.js';

const { test, user, application } = suite();
let path: string;
beforeEach(() => {
  path = `/applications/${application.id}/experience/users`;
});

const address = (name = uniqueName('user')) => `${name}@example.com`;
const create = (body: object, token = user.token) =>
  test.client.post(path, { email: address(), password: PASSWORD, ...body }, { token });
const patch = (id: string, body: object) => test.client.patch(`${path}/${id}`, body, { token: user.token });
const list = (query = '') => test.client.get(`${path}${query}`, { token: user.token });
const namesIn = async (query: string) =>
  (await list(query)).body.items.map(({ firstName }: { firstName?: string }) => firstName);

/** Statements about users and groups, without those that authorize the caller. */
const aboutIt = (statements: readonly string[]) => statements.filter((text) => text.includes('experience_'));

async function group(body: object = {}, of = application.id): Promise<string> {
  const at = `/applications/${of}/experience/groups`;
  const made = await test.client.post(at, { name: uniqueName('group'), ...body }, { token: user.token });
  expect(made.status).toBe(201);
  return made.body.id;
}

async function hashOf(id: string): Promise<string> {
  const [row] = await test.dataSource.query<{ hash: string }[]>(
    'SELECT password_hash AS hash FROM experience_users WHERE id = $1',
    [id],
  );
  return row!.hash;
}

describe('An experience user', () => {
  it('is created, returned, updated and deleted without ever returning the password', async () => {
    const { status, body } = await create({ email: 'Ada@Example.com', firstName: 'Ada' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      experienceUserId: body.id,
      applicationId: application.id,
      creationDate: body.creationDate,
      lastUpdated: body.creationDate,
      passwordLastUpdated: expect.any(String),
      email: 'ada@example.com',
      firstName: 'Ada',
      userTags: {},
      experienceGroups: [],
    });
    const own = `${path}/${body.id}`;
    const changes = {
      email: 'ADA.L@example.com',
      lastName: 'Lovelace',
      userTags: { site: 'north' },
      tokenCutoff: '2026-01-01T00:00:00.000Z',
    };
    const changed = await patch(body.id, changes);
    expect(changed.body).toEqual({
      ...body,
      ...changes,
      email: 'ada.l@example.com',
      lastUpdated: expect.any(String),
    });
    expect((await test.client.get(own, { token: user.token })).body).toEqual(changed.body);
    expect((await test.client.delete(own, { token: user.token })).body).toEqual({ success: true });
    expect((await test.client.get(own, { token: user.token })).status).toBe(404);
    expect((await patch(body.id, {})).status).toBe(404);
  });

  it('has a password stored as an argon2id hash', async () => {
    const { body } = await create({});
    const first = await hashOf(body.id);
    expect(first).toMatch(/^\$argon2id\$/);
    expect(await experiencePasswords.matches('test', first, PASSWORD)).toBe(true);
    const changed = await patch(body.id, { password: 'Another-Horse-8' });
    expect(Date.parse(changed.body.passwordLastUpdated)).toBeGreaterThan(
      Date.parse(body.passwordLastUpdated),
    );
    const second = await hashOf(body.id);
    expect(await experiencePasswords.matches('test', second, PASSWORD)).toBe(false);
    expect(await experiencePasswords.matches('test', second, 'Another-Horse-8')).toBe(true);
    const kept = await patch(body.id, { firstName: 'Ada' });
    expect(kept.body.passwordLastUpdated).toBe(changed.body.passwordLastUpdated);
  });

  it('has an email address that is unique in the application, ignoring case, including with concurrent requests', async () => {
    const name = uniqueName();
    const answers = await Promise.all(
      [name, name.toUpperCase(), name, name].map((one) => create({ email: address(one) })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
    const taken = { type: 'Validation', message: 'experienceUser.email is not available' };
    for (const { status, body } of answers) if (status === 400) expect(body).toEqual(taken);
    const other = (await create({})).body;
    expect((await patch(other.id, { email: address(name) })).body).toEqual(taken);
    const elsewhere = (await makeApplication(test, user.token)).id;
    const at = `/applications/${elsewhere}/experience/users`;
    const body = { email: address(name), password: PASSWORD };
    expect((await test.client.post(at, body, { token: user.token })).status).toBe(201);
  });

  it.each<[RegExp, object]>([
    [/^experienceUser\.email must be/, { email: 'ada' }],
    [/^experienceUser\.email must be/, { email: 'ad\u212a@example.com' }],
    [/^experienceUser\.password must have at least 8/, { password: 'short' }],
    [/^experienceUser\.password must have at most 2048/, { password: 'x'.repeat(2049) }],
    [
      /^experienceUser\.userTags has an invalid key: only letters, digits, _ and - are allowed$/,
      { userTags: { 'a b': 'c' } },
    ],
    [/^experienceUser\.userTags\.a must have at least 1/, { userTags: { a: '' } }],
    [/^experienceUser\.tokenCutoff must be/, { tokenCutoff: 'now' }],
    [
      /^experienceUser\.experienceGroupIds refers to groups that do not exist$/,
      { experienceGroupIds: [newId()] },
    ],
    [/^experienceUser\.passwordHash is not a property/, { passwordHash: 'x' }],
  ])('is rejected: %s', async (message, body) => {
    const refused = await create(body);
    expect([refused.status, refused.body.type]).toEqual([400, 'Validation']);
    expect(refused.body.message).toMatch(message);
  });

  it('is updated with one statement, or with groups in one transaction', async () => {
    const groups = [await group(), await group()];
    const { body } = await create({});
    const send = statementCounter(test);
    const own = `${path}/${body.id}`;
    await send('GET', own, user.token);
    const changed = await send('PATCH', own, user.token, { lastName: 'L' });
    expect(aboutIt(changed.statements)).toHaveLength(1);
    const moved = await send('PATCH', own, user.token, { experienceGroupIds: groups });
    expect(moved.body.experienceGroups).toHaveLength(2);
    // The user, their groups, and the user again.
    expect(aboutIt(moved.statements)).toHaveLength(3);
  });
});

describe('The groups of an experience user', () => {
  it('are the given ones and are also visible from the group', async () => {
    const [first, second, third] = [await group({ name: 'a' }), await group({ name: 'b' }), await group()];
    const { body } = await create({ experienceGroupIds: [first, second.toUpperCase(), first] });
    const shown = { id: first, name: 'a', parentId: null };
    expect(body.experienceGroups).toEqual([shown, { id: second, name: 'b', parentId: null }]);
    await patch(body.id, { experienceGroupIds: [first] });
    const at = `/applications/${application.id}/experience/groups/${third}`;
    await test.client.patch(at, { experienceUserIds: [body.id], parentId: first }, { token: user.token });
    const { body: now } = await test.client.get(`${path}/${body.id}`, { token: user.token });
    expect(now.experienceGroups.map(({ id, parentId }: any) => [id, parentId])).toEqual([
      [first, null],
      [third, first],
    ]);
    await test.client.delete(`${path}/${body.id}`, { token: user.token });
    expect((await test.client.get(at, { token: user.token })).body.experienceUserIds).toEqual([]);
  });

  it('keep their value when one of the given groups belongs to another application', async () => {
    const own = await group();
    const foreign = await group({}, (await makeApplication(test, user.token)).id);
    const { body } = await create({ experienceGroupIds: [own] });
    const refused = await patch(body.id, { lastName: 'L', experienceGroupIds: [foreign] });
    expect(refused.body.message).toBe('experienceUser.experienceGroupIds refers to groups that do not exist');
    const { body: kept } = await test.client.get(`${path}/${body.id}`, { token: user.token });
    expect(kept).toEqual(body);
  });

  it('can be deleted and assigned concurrently without dangling links or errors', async () => {
    const groups = await Promise.all(Array.from({ length: 3 }, () => group()));
    const { body } = await create({});
    const at = `/applications/${application.id}/experience/groups`;
    const answers = await Promise.all(
      groups.flatMap((id) => [
        patch(body.id, { experienceGroupIds: [id] }),
        test.client.delete(`${at}/${id}`, { token: user.token }),
      ]),
    );
    for (const { status } of answers) expect([200, 400]).toContain(status);
    const { body: left } = await test.client.get(`${path}/${body.id}`, { token: user.token });
    expect(left.experienceGroups).toEqual([]);
  });
});

describe('The experience users of an application', () => {
  it('are listed in pages, sorted and filtered', async () => {
    for (const [firstName, lastName] of [
      ['Ada', 'Z'],
      ['Bo', 'Y'],
      ['Cy', 'X'],
    ])
      await create({ firstName, lastName, email: address(`${firstName}-${uniqueName()}`) });
    expect(await namesIn('')).toEqual(['Ada', 'Bo', 'Cy']);
    expect(await namesIn('?sortField=lastName')).toEqual(['Cy', 'Bo', 'Ada']);
    expect(await namesIn('?sortField=lastLogin&sortDirection=desc')).toEqual(['Cy', 'Bo', 'Ada']);
    expect(await namesIn('?filterField=firstName&filter=b*')).toEqual(['Bo']);
    expect((await list('?perPage=2&page=1')).body).toMatchObject({
      count: 1,
      totalCount: 3,
      applicationId: application.id,
    });
  });

  it('are listed by group: of one group, including its ancestors, of any or of none', async () => {
    const top = await group();
    const below = await group({ parentId: top });
    const beside = await group();
    await create({ firstName: 'top', experienceGroupIds: [top], email: address('a') });
    await create({ firstName: 'below', experienceGroupIds: [below], email: address('b') });
    await create({ firstName: 'beside', experienceGroupIds: [beside, top], email: address('c') });
    await create({ firstName: 'nowhere', email: address('d') });
    const inGroup = (id: string) => `?experienceGroupId=${id}`;
    expect(await namesIn(inGroup(top))).toEqual(['top', 'beside']);
    expect(await namesIn(inGroup(below))).toEqual(['below']);
    expect(await namesIn(`${inGroup(below)}&includeAncestorGroups=true`)).toEqual(['top', 'below', 'beside']);
    expect(
      await namesIn(`${inGroup(below)}&includeAncestorGroups=true&filterField=email&filter=a@*`),
    ).toEqual(['top']);
    expect(await namesIn(inGroup('any'))).toEqual(['top', 'below', 'beside']);
    expect(await namesIn(inGroup('none'))).toEqual(['nowhere']);
    expect(await namesIn(inGroup(newId()))).toEqual([]);
    const { body } = await list(inGroup(top.toUpperCase()));
    expect(body).toMatchObject({ experienceGroupId: top, totalCount: 2 });
    expect((await list(inGroup('some'))).body.message).toMatch(/^experienceGroupId must be/);
  });

  it.each<[string, object, string[]]>([
    ['a group', { experienceGroupId: 'GROUP' }, ['Ada']],
    ['other groups', { experienceGroupId: { $ne: 'GROUP' } }, ['Bo']],
    ['no group', { experienceGroupId: null }, ['Bo']],
    ['a tag', { userTags: { site: 'north' } }, ['Ada']],
    ['the key of a tag', { userTags: { $tagKey: 'site' } }, ['Ada', 'Bo']],
    ['an address', { email: { $startsWith: 'BO', $ci: true } }, ['Bo']],
    ['times', { passwordLastUpdated: { $gt: 0 }, lastLogin: null }, ['Ada', 'Bo']],
  ])('can be queried by %s', async (_, query, names) => {
    const id = await group();
    await create({
      firstName: 'Ada',
      userTags: { site: 'north' },
      experienceGroupIds: [id],
      email: address('ada'),
    });
    await create({ firstName: 'Bo', userTags: { site: 'south' }, email: address('bo') });
    const asked = JSON.stringify(query).replace('GROUP', id);
    expect(await namesIn(`?experienceGroupId=none&query=${encodeURIComponent(asked)}`)).toEqual(names);
  });

  it('require view to read and collaborate to write', async () => {
    const org = await makeOrg(test, user.token);
    const { id } = await makeApplication(test, user.token, { orgId: org.id });
    path = `/applications/${id}/experience/users`;
    const statuses = await Promise.all(
      (['none', 'view', 'collaborate'] as const).map(async (role) => {
        const { token } = await makeMember(test, org.id, role);
        return [(await test.client.get(path, { token })).status, (await create({}, token)).status];
      }),
    );
    expect(statuses).toEqual([
      [404, 404],
      [200, 403],
      [200, 201],
    ]);
    const narrow = tokenOf(test, user.id, ['experienceUsers.get']);
    expect((await test.client.get(path, { token: narrow })).status).toBe(200);
    expect((await create({}, narrow)).status).toBe(403);
    expect((await test.client.get(path)).status).toBe(401);
  });
});
