import { apiTokenCalls, HOUR, futureDate } from '../../../../test/make/api-tokens.js';
import { makeUser, tokenOf } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';

const { test } = suite();

const { list, patch, make: makeToken } = apiTokenCalls(() => test);

describe('GET /me/tokens', () => {
  /** Creates a user with tokens of the given names, one after the other. */
  async function withTokens(...names: string[]) {
    const user = await makeUser(test);
    const made = [];
    for (const name of names) made.push(await makeToken(user.token, { name }));
    return { ...user, made };
  }
  const names = async (token: string, query = '') =>
    (await list(token, query)).body.items.map(({ name }: { name: string }) => name);

  it('returns the user’s tokens, sorted by name', async () => {
    const { id, token } = await withTokens('b', 'c', 'a');
    const { status, body } = await list(token);
    expect(status).toBe(200);
    expect(body).toEqual({
      items: expect.any(Array),
      count: 3,
      totalCount: 3,
      page: 0,
      perPage: 100,
      sortField: 'name',
      sortDirection: 'asc',
      ownerId: id,
      ownerType: 'user',
    });
    expect(body.items.map(({ name }: { name: string }) => name)).toEqual(['a', 'b', 'c']);
  });

  it('does not return tokens of other users', async () => {
    await withTokens('theirs');
    const { token } = await withTokens();
    expect((await list(token)).body).toMatchObject({ items: [], count: 0, totalCount: 0 });
  });

  it('sorts by every field in both directions', async () => {
    const { token, made } = await withTokens('b', 'a', 'c');
    await patch(token, made[0].id, { status: 'inactive' });
    expect(await names(token, '?sortField=name&sortDirection=desc')).toEqual(['c', 'b', 'a']);
    expect(await names(token, '?sortField=status&sortDirection=desc')).toHaveLength(3);
    expect((await names(token, '?sortField=status&sortDirection=desc'))[0]).toBe('b');
    for (const field of ['id', 'creationDate']) {
      expect(await names(token, `?sortField=${field}`)).toEqual(['b', 'a', 'c']);
      expect(await names(token, `?sortField=${field}&sortDirection=desc`)).toEqual(['c', 'a', 'b']);
    }
    expect((await names(token, '?sortField=lastUpdated')).at(-1)).toBe('b');
  });

  it('sorts by expiration, with tokens that never expire last in ascending order', async () => {
    const { token } = await makeUser(test);
    await makeToken(token, { name: 'never' });
    await makeToken(token, { name: 'late', expirationDate: futureDate(2 * HOUR) });
    await makeToken(token, { name: 'soon', expirationDate: futureDate(HOUR) });
    expect(await names(token, '?sortField=expirationDate')).toEqual(['soon', 'late', 'never']);
  });

  it('supports paging', async () => {
    const { token } = await withTokens('a', 'b', 'c', 'd', 'e');
    const { body } = await list(token, '?perPage=2&page=1');
    expect(body).toMatchObject({ count: 2, totalCount: 5, page: 1, perPage: 2 });
    expect(body.items.map(({ name }: { name: string }) => name)).toEqual(['c', 'd']);
    expect(await names(token, '?perPage=2&page=2')).toEqual(['e']);
    expect((await list(token, '?perPage=2&page=3')).body).toMatchObject({
      items: [],
      count: 0,
      totalCount: 5,
    });
  });

  it.each([
    ['pump*', ['pump 1', 'PUMP 2']],
    ['*p', ['lamp']],
    ['pump ?', ['pump 1', 'PUMP 2']],
    ['pump', []],
    ['100%', ['100%']],
    ['%', []],
    ['a_b', ['a_b']],
    ['a?b', ['a_b', 'axb']],
    ['a\\_b', ['a_b']],
    ['back\\\\slash', ['back\\slash']],
    ['back\\slash', []],
    ['star\\*', ['star*']],
    ['star*', ['star*', 'starling']],
    ['[a-z]*', ['[a-z] set']],
    ["o'neil", ["O'Neil"]],
    ['', ['100%', 'PUMP 2', 'lamp', 'pump 1']],
  ])('filters by the glob %j', async (glob, found) => {
    const { token } = await filtered();
    const got = await names(token, `?filterField=name&filter=${encodeURIComponent(glob)}&perPage=1000`);
    if (glob === '') expect(got).toEqual(expect.arrayContaining(found));
    else expect([...got].sort()).toEqual([...found].sort());
  });
  let user: ReturnType<typeof withTokens> | undefined;
  const filtered = () =>
    (user ??= withTokens(
      'pump 1',
      'PUMP 2',
      'lamp',
      '100%',
      '1000',
      'a_b',
      'axb',
      'back\\slash',
      'star*',
      'starling',
      '[a-z] set',
      "O'Neil",
    ));

  it('filters by status', async () => {
    const { token, made } = await withTokens('on', 'off');
    await patch(token, made[1].id, { status: 'inactive' });
    expect(await names(token, '?filterField=status&filter=inactive')).toEqual(['off']);
    expect(await names(token, '?filterField=status&filter=active')).toEqual(['on']);
    expect(await names(token, '?filterField=status&filter=*active')).toEqual(['off', 'on']);
  });

  it.each([
    'page=-1',
    'page=x',
    'page=1.5',
    'perPage=0',
    'perPage=1001',
    'perPage=1e2',
    'perPage=-5',
    'sortField=scope',
    'sortField=tokenHash',
    'sortField=name;drop',
    'sortDirection=up',
    'filterField=token&filter=x',
    `filter=${'x'.repeat(256)}`,
    'filter=%00',
    'filter=a&filter=b',
    'page[$gt]=0',
  ])('rejects ?%s with 400', async (query) => {
    const { token } = await makeUser(test);
    const answer = await list(token, `?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body.type).toBe('Validation');
  });

  it('ignores unknown and blank parameters', async () => {
    const { token } = await withTokens('a');
    expect(
      await names(token, '?_links=true&sortField=&sortDirection=&page=&perPage=&filterField=&filter='),
    ).toEqual(['a']);
  });

  it.each([
    ['all.User', 200],
    ['all.User.read', 200],
    ['userApiTokens.*', 200],
    ['userApiTokens.get', 200],
    ['all.User.bounded', 403],
    ['only.User', 403],
    ['userApiTokens.post', 403],
    ['userApiToken.get', 403],
    ['all.Organization', 403],
  ])('called with the scope %s returns %i', async (scope, status) => {
    const { id } = await makeUser(test);
    expect((await list(tokenOf(test, id, [scope]))).status).toBe(status);
  });

  it('requires a token', async () => {
    expect((await test.client.get('/me/tokens')).status).toBe(401);
  });
});
