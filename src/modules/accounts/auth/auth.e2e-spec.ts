import { jest } from '@jest/globals';
import argon2 from '@node-rs/argon2';
import jwt from 'jsonwebtoken';
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { makeUser, PASSWORD, tokenOf, uniqueName } from '../../../../test/make/make.js';
import {
  BEHIND_PROXY,
  claimsOf,
  codeOf,
  clientAddress,
  makeTwoFactorUser,
  signIn,
  wrongCode,
} from '../../../../test/make/sign-in.js';
import { suite } from '../../../../test/setup/suite.js';
import { ISSUER, TokenSigner } from '../../../platform/access/token-signer.js';
import { User } from '../users/user.entity.js';

const verifications = jest.spyOn(argon2, 'verify');
const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const key = newKey();
const WRONG = 'Wrong-Horse-7';
const DAY = 86_400;

const pem = key.export({ type: 'pkcs8', format: 'pem' }) as string;
const { test } = suite({ ...BEHIND_PROXY, TOKEN_PRIVATE_KEY: pem }, { retries: false });

describe('POST /auth/user', () => {
  it('returns only the user ID and a working token', async () => {
    const { id, email } = await makeUser(test);
    const { status, body } = await signIn(test, { email, password: PASSWORD });
    expect(status).toBe(200);
    expect(body).toEqual({ userId: id, token: expect.any(String) });
    const me = await test.client.get('/me', { token: body.token });
    expect(me.status).toBe(200);
    expect(me.body.id).toBe(id);
  });

  it('accepts the email address in any case', async () => {
    const { id, email } = await makeUser(test);
    const { body } = await signIn(test, { email: email.toUpperCase(), password: PASSWORD });
    expect(body.userId).toBe(id);
  });

  it('requires the exact case of the password', async () => {
    const { email } = await makeUser(test);
    expect((await signIn(test, { email, password: PASSWORD.toUpperCase() })).status).toBe(401);
    expect((await signIn(test, { email, password: `${PASSWORD} ` })).status).toBe(401);
  });

  describe('issues a token', () => {
    const tokenFor = async (more: object) => {
      const { email } = await makeUser(test);
      return (await signIn(test, { email, password: PASSWORD, ...more })).body.token as string;
    };

    it('with all scopes, valid for one day, by default', async () => {
      const { scope, iat, exp } = claimsOf(await tokenFor({}));
      expect(scope).toEqual(['all.User']);
      expect(exp! - iat).toBeCloseTo(DAY, 3);
    });

    it('with only the requested scopes', async () => {
      const token = await tokenFor({ requestedScopes: ['applications.get', 'all.Device.read'] });
      expect(claimsOf(token).scope).toEqual(['applications.get', 'all.Device.read']);
      expect((await test.client.get('/applications', { token })).status).toBe(200);
      expect((await test.client.post('/applications', { name: uniqueName() }, { token })).status).toBe(403);
      expect((await test.client.get('/me', { token })).status).toBe(403);
    });

    it('without scopes if an empty list is requested', async () => {
      const token = await tokenFor({ requestedScopes: [] });
      expect((await test.client.get('/me', { token })).status).toBe(403);
    });

    it('with the requested lifetime', async () => {
      const { iat, exp } = claimsOf(await tokenFor({ tokenTTL: 60 }));
      expect(exp! - iat).toBeCloseTo(60, 3);
    });

    it('that never expires for a lifetime of 0', async () => {
      const token = await tokenFor({ tokenTTL: 0 });
      expect(claimsOf(token)).not.toHaveProperty('exp');
      expect((await test.client.get('/me', { token })).status).toBe(200);
    });
  });

  describe('rejects with 400', () => {
    const good = { email: 'ada@example.com', password: PASSWORD };
    it.each<[string, unknown, string]>([
      ['no email address', { password: PASSWORD }, 'credentials.email is required'],
      ['no password', { email: good.email }, 'credentials.password is required'],
      ['something else than an address', { ...good, email: 'ada' }, 'credentials.email'],
      ['an operator in place of text', { ...good, email: { $gt: '' } }, 'credentials.email'],
      ['a list of passwords', { ...good, password: [PASSWORD] }, 'credentials.password'],
      ['a short password', { ...good, password: 'Short-7' }, 'credentials.password'],
      ['a password of 2049 characters', { ...good, password: 'x'.repeat(2049) }, 'credentials.password'],
      ['NUL in the address', { ...good, email: 'ada\0@example.com' }, 'NUL'],
      ['blanks around the address', { ...good, email: ' ada@example.com' }, 'credentials.email'],
      ['an unknown property', { ...good, admin: true }, 'credentials.admin'],
      [
        'a property of the prototype',
        `{"email":"a@b.c","password":"${PASSWORD}","__proto__":{}}`,
        '__proto__',
      ],
      ['an unknown scope', { ...good, requestedScopes: ['all.user'] }, 'credentials.requestedScopes'],
      ['a scope twice', { ...good, requestedScopes: ['me.get', 'me.get'] }, 'credentials.requestedScopes'],
      ['a scope that is no list', { ...good, requestedScopes: 'all.User' }, 'credentials.requestedScopes'],
      ['null scopes', { ...good, requestedScopes: null }, 'credentials.requestedScopes'],
      ['a negative life', { ...good, tokenTTL: -1 }, 'credentials.tokenTTL'],
      ['half a second', { ...good, tokenTTL: 0.5 }, 'credentials.tokenTTL'],
      ['a life as text', { ...good, tokenTTL: '60' }, 'credentials.tokenTTL'],
      ['a life beyond all bounds', { ...good, tokenTTL: 1e12 }, 'credentials.tokenTTL'],
      ['a code that is a number', { ...good, twoFactorCode: 123456 }, 'credentials.twoFactorCode'],
      ['a list', [good], 'credentials'],
      ['null', 'null', 'credentials'],
      ['broken JSON', '{"email":', 'JSON'],
    ])('%s', async (_, body, named) => {
      const answer = await test.client.post('/auth/user', body, { headers: clientAddress() });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({ type: 'Validation', message: expect.stringContaining(named) });
    });

    it('a missing body', async () => {
      expect((await test.client.request('POST', '/auth/user', { headers: clientAddress() })).status).toBe(
        400,
      );
    });
  });

  it('rejects a form with 415', async () => {
    const headers = { ...clientAddress(), 'content-type': 'application/x-www-form-urlencoded' };
    const body = `email=ada%40example.com&password=${PASSWORD}`;
    const answer = await fetch(`${test.client.url}/auth/user`, { method: 'POST', headers, body });
    expect(answer.status).toBe(415);
  });

  describe('does not reveal whether a user exists', () => {
    const attempt = async (email: string, password: string) => {
      verifications.mockClear();
      const { status, body } = await signIn(test, { email, password });
      return { status, body, verifications: verifications.mock.calls.length };
    };
    const refused = {
      status: 401,
      body: { type: 'Unauthorized', message: 'Email address or password is wrong' },
      verifications: 1,
    };

    it('when the password is wrong', async () => {
      const { email } = await makeUser(test);
      expect(await attempt(email, WRONG)).toEqual(refused);
    });

    it('when the email address is unknown', async () => {
      expect(await attempt(`${uniqueName()}@example.com`, PASSWORD)).toEqual(refused);
    });

    it('when the user signs in through an identity provider, even with the former password', async () => {
      const { email } = await makeUser(test, { ssoLinked: true });
      expect(await attempt(email, PASSWORD)).toEqual(refused);
    });

    it('when the user has no password', async () => {
      const { email } = await makeUser(test, { passwordHash: null });
      expect(await attempt(email, PASSWORD)).toEqual(refused);
    });

    it('when the user has two-factor authentication, before the password is verified', async () => {
      const user = await makeTwoFactorUser(test);
      expect(await attempt(user.email, WRONG)).toEqual(refused);
    });
  });

  it('logs neither the password nor the token', async () => {
    const { email } = await makeUser(test);
    const { body } = await signIn(test, { email, password: PASSWORD });
    await signIn(test, { email, password: WRONG });
    const log = test.log.join('');
    expect(log).toContain('/auth/user');
    for (const secret of [PASSWORD, WRONG, body.token, email]) expect(log).not.toContain(secret);
  });
});

describe('The second factor', () => {
  it('is required after the password has been verified', async () => {
    const { email } = await makeTwoFactorUser(test);
    const { status, body } = await signIn(test, { email, password: PASSWORD });
    expect(status).toBe(401);
    expect(body).toEqual({ type: 'Unauthorized', message: 'A two-factor authentication code is required' });
  });

  it('accepts the current code once', async () => {
    const { id, email, key } = await makeTwoFactorUser(test);
    const twoFactorCode = codeOf(key);
    const first = await signIn(test, { email, password: PASSWORD, twoFactorCode });
    expect(first.status).toBe(200);
    expect(first.body.userId).toBe(id);
    const replay = await signIn(test, { email, password: PASSWORD, twoFactorCode });
    expect(replay.status).toBe(401);
    expect(replay.body.message).toBe('The two-factor authentication code is wrong');
  });

  it('accepts one of two concurrent sign-ins with the same code', async () => {
    const { email, key } = await makeTwoFactorUser(test);
    const twoFactorCode = codeOf(key);
    const both = await Promise.all(
      [1, 2].map(() => signIn(test, { email, password: PASSWORD, twoFactorCode })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('rejects a code older than the last one used', async () => {
    const { email, key } = await makeTwoFactorUser(test);
    const earlier = codeOf(key);
    expect((await signIn(test, { email, password: PASSWORD, twoFactorCode: codeOf(key, 1) })).status).toBe(
      200,
    );
    expect((await signIn(test, { email, password: PASSWORD, twoFactorCode: earlier })).status).toBe(401);
  });

  it.each(['', '12345', '1234567', 'abcdef', ' 123456', '１２３４５６'])(
    'rejects %j',
    async (twoFactorCode) => {
      const { email } = await makeTwoFactorUser(test);
      expect((await signIn(test, { email, password: PASSWORD, twoFactorCode })).status).toBe(401);
    },
  );

  it('rejects a wrong code and a code that is ten minutes old', async () => {
    const { email, key } = await makeTwoFactorUser(test);
    for (const twoFactorCode of [wrongCode(key), codeOf(key, -20)])
      expect((await signIn(test, { email, password: PASSWORD, twoFactorCode })).status).toBe(401);
  });

  it('does not replace the password', async () => {
    const { email, key } = await makeTwoFactorUser(test);
    const twoFactorCode = codeOf(key);
    expect((await signIn(test, { email, password: WRONG, twoFactorCode })).status).toBe(401);
    expect((await signIn(test, { email, password: PASSWORD, twoFactorCode })).status).toBe(200);
  });

  it('cannot be guessed: wrong codes count as failed sign-ins', async () => {
    const { email, key } = await makeTwoFactorUser(test);
    for (let i = 0; i < 10; i++)
      expect((await signIn(test, { email, password: PASSWORD, twoFactorCode: wrongCode(key) })).status).toBe(
        401,
      );
    const right = await signIn(test, { email, password: PASSWORD, twoFactorCode: codeOf(key) });
    expect(right.status).toBe(429);
  });

  it('is ignored for users without two-factor authentication', async () => {
    const { email } = await makeUser(test);
    expect((await signIn(test, { email, password: PASSWORD, twoFactorCode: '000000' })).status).toBe(200);
  });
});

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
    const expires = new Date(Date.now() + 700);
    const token = test.app.get(TokenSigner).sign({ sub: id, scope: ['all.User'] }, { expires });
    expect((await me(`Bearer ${token}`)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, expires.getTime() - Date.now() + 5));
    expectUnauthorized(await me(`Bearer ${token}`), 'Access token has expired');
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
