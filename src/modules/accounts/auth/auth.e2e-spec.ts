import { jest } from '@jest/globals';
import argon2 from '@node-rs/argon2';
import { makeUser, PASSWORD, uniqueName } from '../../../../test/make/make.js';
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

const verifications = jest.spyOn(argon2, 'verify');
const WRONG = 'Wrong-Horse-7';
const DAY = 86_400;

const { test } = suite(BEHIND_PROXY, { retries: false });

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
