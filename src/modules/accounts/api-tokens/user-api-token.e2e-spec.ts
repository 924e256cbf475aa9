import { apiTokenCalls, HOUR, futureDate, UNKNOWN } from '../../../../test/make/api-tokens.js';
import { makeUser, tokenOf } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { TokenSigner } from '../../../platform/access/token-signer.js';

const { test, other } = suite();

const { list, get, patch, remove, path, make: makeToken } = apiTokenCalls(() => test);

describe('An API token of a user', () => {
  it('is returned, including by an upper-case ID', async () => {
    const { token } = await makeUser(test);
    const { token: _shown, ...made } = await makeToken(token);
    expect((await get(token, made.id)).body).toEqual(made);
    expect((await get(token, made.id.toUpperCase())).body).toEqual(made);
  });

  it('updates the given properties and keeps the others', async () => {
    const { token } = await makeUser(test);
    const { token: _shown, ...made } = await makeToken(token, {
      description: 'before',
      expirationDate: futureDate(HOUR),
    });
    const { status, body } = await patch(token, made.id, { name: 'after' });
    expect(status).toBe(200);
    expect(body).toEqual({ ...made, name: 'after', lastUpdated: body.lastUpdated });
    expect(body.lastUpdated >= made.lastUpdated).toBe(true);
    expect((await patch(token, made.id, {})).body).toMatchObject({ name: 'after', description: 'before' });
  });

  it.each<[string, unknown]>([
    ['scope', ['me.get']],
    ['expirationDate', '2999-01-01T00:00:00Z'],
    ['ownerId', UNKNOWN],
    ['token', 'x'],
    ['tokenHash', 'x'],
    ['id', UNKNOWN],
    ['nonsense', 1],
    ['name', ''],
    ['name', null],
    ['status', 'paused'],
    ['status', null],
    ['orgRoles', null],
    ['defaultRole', null],
  ])('rejects a change of %s to %j with 400', async (property, value) => {
    const { token } = await makeUser(test);
    const { token: _shown, ...made } = await makeToken(token);
    const { status, body } = await patch(token, made.id, { name: 'eve', [property]: value });
    expect(status).toBe(400);
    expect(body.message).toContain(`apiToken.${property}`);
    expect((await get(token, made.id)).body).toEqual(made);
  });

  it('cannot be given more access by a token that has less', async () => {
    const { id: userId, token } = await makeUser(test);
    const wide = await makeToken(token, { status: 'inactive', defaultRole: 'view' });
    const narrow = ['userApiToken.patch'];
    const { token: capped } = await makeToken(token, { defaultRole: 'view' });
    const { token: single } = await makeToken(token, { scope: narrow });
    const session = tokenOf(test, userId, narrow);
    for (const weak of [capped, single, session]) {
      for (const power of [{ status: 'active' }, { defaultRole: 'admin' }])
        expect((await patch(weak, wide.id, power)).status).toBe(403);
      expect((await patch(weak, wide.id, { name: 'other', status: 'inactive' })).status).toBe(200);
    }
    expect((await get(token, wide.id)).body).toMatchObject({ status: 'inactive', defaultRole: 'view' });
    expect((await patch(token, wide.id, { status: 'active', defaultRole: 'edit' })).status).toBe(200);
  });

  it('returns 404 once it has been deleted', async () => {
    const { token } = await makeUser(test);
    const { id } = await makeToken(token);
    const answer = await remove(token, id);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true });
    for (const answered of [
      await get(token, id),
      await patch(token, id, { name: 'x' }),
      await remove(token, id),
    ])
      expect([answered.status, answered.body]).toEqual([
        404,
        { type: 'NotFound', message: 'API token was not found' },
      ]);
    expect((await list(token)).body.totalCount).toBe(0);
  });

  it('returns 404 for a token of another user', async () => {
    const [mine, theirs] = [await makeUser(test), await makeUser(test)];
    const { id } = await makeToken(theirs.token);
    for (const ask of [
      (of: string) => get(mine.token, of),
      (of: string) => patch(mine.token, of, { status: 'inactive' }),
      (of: string) => remove(mine.token, of),
    ]) {
      const [foreign, missing] = [await ask(id), await ask(UNKNOWN)];
      expect(foreign.status).toBe(404);
      expect([foreign.status, foreign.body]).toEqual([missing.status, missing.body]);
    }
    expect((await get(theirs.token, id)).body.status).toBe('active');
  });

  it.each(['nonsense', '123', `${UNKNOWN}0`, 'zzzzzzzzzzzzzzzzzzzzzzzz', '%00', "'--"])(
    'rejects the invalid ID %j with 400',
    async (id) => {
      const { token } = await makeUser(test);
      for (const answer of [await get(token, id), await patch(token, id, {}), await remove(token, id)])
        expect(answer.status).toBe(400);
    },
  );

  it.each([
    ['all.User', 200, 200],
    ['only.User', 200, 200],
    ['userApiToken.*', 200, 200],
    ['all.User.read', 200, 403],
    ['all.User.bounded', 200, 403],
    ['only.User.read', 200, 403],
    ['userApiToken.get', 200, 403],
    ['userApiTokens.*', 403, 403],
    ['all.Organization', 403, 403],
  ])('can be read and changed with the scope %s: %i, %i', async (scope, read, write) => {
    const user = await makeUser(test);
    const { id } = await makeToken(user.token);
    const token = tokenOf(test, user.id, [scope]);
    expect((await get(token, id)).status).toBe(read);
    expect((await patch(token, id, { name: 'x' })).status).toBe(write);
    expect((await remove(token, id)).status).toBe(write);
  });

  it('requires a token', async () => {
    expect((await test.client.get(path(UNKNOWN))).status).toBe(401);
    expect((await test.client.patch(path(UNKNOWN), {})).status).toBe(401);
    expect((await test.client.delete(path(UNKNOWN))).status).toBe(401);
  });
});

describe('An API token in use', () => {
  const statuses = async (token: string) => {
    const answers = await Promise.all([test, other].map((app) => app.client.get('/me', { token })));
    return answers.map(({ status }) => status);
  };

  it('is rejected in every process immediately when deactivated, and works again when activated', async () => {
    const { token } = await makeUser(test);
    const made = await makeToken(token);
    for (let round = 0; round < 3; round++) {
      expect(await statuses(made.token)).toEqual([200, 200]);
      await patch(token, made.id, { status: 'inactive' });
      expect(await statuses(made.token)).toEqual([401, 401]);
      await patch(token, made.id, { status: 'active' });
    }
    expect(await statuses(made.token)).toEqual([200, 200]);
  });

  it('is rejected in every process immediately when deleted', async () => {
    const { token } = await makeUser(test);
    const made = await makeToken(token);
    expect(await statuses(made.token)).toEqual([200, 200]);
    await remove(token, made.id);
    expect(await statuses(made.token)).toEqual([401, 401]);
  });

  it('can delete itself', async () => {
    const { token } = await makeUser(test);
    const made = await makeToken(token);
    expect((await remove(made.token, made.id)).status).toBe(200);
    expect(await statuses(made.token)).toEqual([401, 401]);
  });

  it('can be revoked without affecting the user’s other tokens', async () => {
    const { token } = await makeUser(test);
    const [one, two] = [await makeToken(token), await makeToken(token)];
    await remove(token, one.id);
    expect(await statuses(two.token)).toEqual([200, 200]);
    expect(await statuses(token)).toEqual([200, 200]);
  });

  it('is identified by its text, not only its ID: another token with the same ID is rejected', async () => {
    const { id: userId, token } = await makeUser(test);
    const { id } = await makeToken(token, { scope: ['me.get'] });
    const twin = test.app
      .get(TokenSigner)
      .sign({ sub: userId, scope: ['all.User'], jti: id }, { ttl: 60, issuedAt: new Date() });
    expect(await statuses(twin)).toEqual([401, 401]);
    const { id: strangerId } = await makeUser(test);
    const moved = test.app
      .get(TokenSigner)
      .sign({ sub: strangerId, scope: ['all.User'], jti: id }, { ttl: 60, issuedAt: new Date() });
    expect(await statuses(moved)).toEqual([401, 401]);
  });
});
