import jwt from 'jsonwebtoken';
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { withClock } from '../../../../test/doubles/clock.js';
import { makeUser, tokenOf } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { ISSUER, TokenSigner } from '../../../platform/access/token-signer.js';
import { User } from '../users/user.entity.js';

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const key = newKey();
const DAY = 86_400;

const pem = key.export({ type: 'pkcs8', format: 'pem' }) as string;
const { test } = suite({ TOKEN_PRIVATE_KEY: pem });

describe('An authenticated request', () => {
  const me = (authorization: string | undefined, query = '') =>
    test.client.get(`/me${query}`, { headers: authorization === undefined ? {} : { authorization } });
  const expectUnauthorized = (answer: Awaited<ReturnType<typeof me>>, message = 'Invalid access token') => {
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ type: 'Unauthorized', message });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  };
  const claims = (sub: string) => ({ sub, scope: ['all.User'], iat: Math.floor(Date.now() / 1000) });
  const parts = (token: string) => token.split('.') as [string, string, string];
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

  it('accepts Bearer in any case', async () => {
    const { token } = await makeUser(test);
    expect((await me(`bearer ${token}`)).status).toBe(200);
  });

  it.each([
    undefined,
    'Bearer',
    'Bearer ',
    'Bearer x',
    'Bearer a.b.c',
    'Basic YTpi',
    'Token',
    `Bearer ${'x'.repeat(8000)}`,
  ])('is rejected without a token (%j)', async (authorization) =>
    expectUnauthorized(await me(authorization)),
  );

  it('is rejected with a token outside the header', async () => {
    const { token } = await makeUser(test);
    expectUnauthorized(await me(undefined, `?access_token=${token}&jwt=${token}`));
    expectUnauthorized(await me(`Basic ${token}`));
    expectUnauthorized(await me(token));
  });

  it('receives a separate message once the token has expired, to the millisecond', async () => {
    const { id } = await makeUser(test);
    const signer = test.app.get(TokenSigner);
    for (const past of [1, 1000, DAY * 1000]) {
      const expires = new Date(Date.now() - past);
      const token = signer.sign({ sub: id, scope: ['all.User'] }, { expires });
      expectUnauthorized(await me(`Bearer ${token}`), 'Access token has expired');
    }
  });

  it('is rejected from the moment when a token in use expires', async () => {
    const { id } = await makeUser(test);
    const expires = new Date(Date.now() + DAY * 1000);
    const token = test.app.get(TokenSigner).sign({ sub: id, scope: ['all.User'] }, { expires });
    expect((await me(`Bearer ${token}`)).status).toBe(200);
    const late = await withClock(DAY * 1000, () => me(`Bearer ${token}`));
    expectUnauthorized(late, 'Access token has expired');
  });

  it.each<[string, (userId: string, good: string) => string]>([
    ['no signature', (id) => jwt.sign(claims(id), '', { algorithm: 'none', issuer: ISSUER })],
    [
      'the algorithm none and a signature',
      (_, good) => [encoded({ alg: 'none', typ: 'JWT' }), ...parts(good).slice(1)].join('.'),
    ],
    [
      'the public key as a shared secret',
      (id) => {
        const pem = test.app.get(TokenSigner).publicKey.export({ type: 'spki', format: 'pem' }) as string;
        const [header, payload] = [
          { alg: 'HS256', typ: 'JWT' },
          { ...claims(id), iss: ISSUER },
        ].map(encoded);
        const signature = createHmac('sha256', pem).update(`${header}.${payload}`).digest('base64url');
        return `${header}.${payload}.${signature}`;
      },
    ],
    ['another key', (id) => jwt.sign(claims(id), newKey(), { algorithm: 'ES256', issuer: ISSUER })],
    [
      'another key that the token brings along',
      (id) => {
        const own = newKey();
        const jwk = own.export({ format: 'jwk' });
        const header = { alg: 'ES256', jwk, jku: 'http://127.0.0.1/jwks', kid: '../../dev/null' };
        return jwt.sign(claims(id), own, { algorithm: 'ES256', issuer: ISSUER, header });
      },
    ],
    ['another issuer', (id) => jwt.sign(claims(id), key, { algorithm: 'ES256', issuer: 'elsewhere' })],
    ['no issuer', (id) => jwt.sign(claims(id), key, { algorithm: 'ES256' })],
    [
      'a time from which it is valid in the future',
      (id) => jwt.sign(claims(id), key, { algorithm: 'ES256', issuer: ISSUER, notBefore: 600 }),
    ],
    [
      'changed claims',
      (_, good) => {
        const [header, payload, signature] = parts(good);
        const changed = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), exp: 9_999_999_999 };
        return [header, encoded(changed), signature].join('.');
      },
    ],
    [
      'a changed signature',
      (_, good) => {
        const [header, payload, signature] = parts(good);
        return [header, payload, (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)].join('.');
      },
    ],
    ['a signature cut short', (_, good) => good.slice(0, -4)],
    ['an unknown user', () => tokenOf(test, '0123456789abcdef01234567')],
    [
      'the id of an API token that is none',
      (id) =>
        jwt.sign({ ...claims(id), jti: '0123456789abcdef01234567' }, key, {
          algorithm: 'ES256',
          issuer: ISSUER,
        }),
    ],
  ])('is rejected with a token that has %s', async (_, forge) => {
    const { id, token } = await makeUser(test);
    expectUnauthorized(await me(`Bearer ${forge(id, token)}`));
  });

  it('is rejected once the user is deleted, even with a token in use', async () => {
    const { id, token } = await makeUser(test);
    await test.dataSource.manager.delete(User, { id });
    expectUnauthorized(await me(`Bearer ${token}`));
  });

  it('is rejected with 403 if the scopes of the token are insufficient', async () => {
    const { id } = await makeUser(test);
    const token = tokenOf(test, id, ['all.User.read', 'me.refreshToken', 'orgs.*']);
    expect((await test.client.get('/me', { token })).status).toBe(200);
    const answer = await test.client.patch('/me', { firstName: 'Eve' }, { token });
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({
      type: 'Forbidden',
      message: 'Access is forbidden: the token needs one of the scopes all.User, me.*, me.patch, only.User',
    });
  });

  it('is rejected for its token before its body is validated', async () => {
    expect((await test.client.patch('/me', { nonsense: true })).status).toBe(401);
    const { id } = await makeUser(test);
    const token = tokenOf(test, id, ['all.User.read']);
    expect((await test.client.patch('/me', { nonsense: true }, { token })).status).toBe(403);
  });
});
