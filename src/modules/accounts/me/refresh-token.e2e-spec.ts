import { makeUser, tokenOf } from '../../../../test/make/make.js';
import { claimsOf, makeApiToken } from '../../../../test/make/sign-in.js';
import { suite } from '../../../../test/setup/suite.js';
import { TokenSigner } from '../../../platform/access/token-signer.js';

const { test } = suite();

describe('GET /me/refreshToken', () => {
  const refresh = (token: string) => test.client.get('/me/refreshToken', { token });

  it.each([60, 86_400])('returns a token with the same scopes and the same lifetime (%i s)', async (ttl) => {
    const { id } = await makeUser(test);
    const token = tokenOf(test, id, ['me.*', 'orgs.get'], ttl);
    const { status, body } = await refresh(token);
    expect(status).toBe(200);
    expect(body).toEqual({ userId: id, token: expect.any(String) });
    const [before, after] = [claimsOf(token), claimsOf(body.token)];
    expect(after.scope).toEqual(['me.*', 'orgs.get']);
    expect(after.iat).toBeGreaterThan(before.iat);
    expect(after.exp! - after.iat).toBeCloseTo(ttl, 3);
    expect((await test.client.get('/me', { token: body.token })).status).toBe(200);
    expect((await refresh(body.token)).status).toBe(200);
  });

  it('returns a token without expiration for one without expiration', async () => {
    const { id } = await makeUser(test);
    const { body } = await refresh(tokenOf(test, id, ['all.User'], 0));
    expect(claimsOf(body.token)).not.toHaveProperty('exp');
  });

  it('rejects an API token with 403', async () => {
    const { token } = await makeUser(test);
    const { status, body } = await refresh((await makeApiToken(test, token)).token);
    expect(status).toBe(403);
    expect(body).toEqual({ type: 'Forbidden', message: 'An API token cannot be refreshed' });
  });

  it('rejects missing and expired tokens, and tokens with insufficient scopes', async () => {
    const { id } = await makeUser(test);
    const expires = new Date(Date.now() - 1);
    const ended = test.app.get(TokenSigner).sign({ sub: id, scope: ['all.User'] }, { expires });
    expect((await refresh(ended)).status).toBe(401);
    expect((await refresh(tokenOf(test, id, ['all.User.read']))).status).toBe(403);
    expect((await test.client.get('/me/refreshToken')).status).toBe(401);
  });
});
