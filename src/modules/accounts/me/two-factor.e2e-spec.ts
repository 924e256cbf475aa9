import { makeUser, PASSWORD, tokenOf } from '../../../../test/make/make.js';
import {
  BEHIND_PROXY,
  codeOf,
  clientAddress,
  makeTwoFactorUser,
  signIn,
  wrongCode,
} from '../../../../test/make/sign-in.js';
import { suite } from '../../../../test/setup/suite.js';
import { newTotpKey } from '../../../lib/crypto/totp.js';
import { User } from '../users/user.entity.js';

const WRONG = 'Wrong-Horse-7';

const { test } = suite(BEHIND_PROXY, { retries: false });

const generate = (token: string) =>
  test.client.request('PATCH', '/me/generateTwoFactorAuth', { token, headers: clientAddress() });
const enable = (token: string, body: object) =>
  test.client.patch('/me/enableTwoFactorAuth', body, { token, headers: clientAddress() });
const disable = (token: string, body: object) =>
  test.client.patch('/me/disableTwoFactorAuth', body, { token, headers: clientAddress() });
const isOn = async (token: string) => (await test.client.get('/me', { token })).body.twoFactorAuthEnabled;

describe('PATCH /me/generateTwoFactorAuth', () => {
  it('returns a key as text and as a URI, without enabling two-factor authentication', async () => {
    const { id, email, token } = await makeUser(test);
    const { status, body } = await generate(token);
    expect(status).toBe(200);
    expect(body).toEqual({ key: expect.stringMatching(/^[A-Z2-7]{52}$/), keyUri: expect.any(String) });
    const uri = new URL(body.keyUri);
    expect(uri.protocol).toBe('otpauth:');
    expect(uri.searchParams.get('secret')).toBe(body.key);
    expect(decodeURIComponent(uri.pathname)).toContain(`Fieldwright:${email}`);
    expect(await isOn(token)).toBe(false);
    expect((await signIn(test, { email, password: PASSWORD })).status).toBe(200);
    const stored = await test.dataSource.manager.findOneByOrFail(User, { id });
    expect(JSON.stringify(stored)).not.toContain(body.key);
  });

  it('returns a new key each time, of which only the last is valid', async () => {
    const { token } = await makeUser(test);
    const [first, last] = [(await generate(token)).body.key, (await generate(token)).body.key];
    expect(last).not.toBe(first);
    expect((await enable(token, { password: PASSWORD, twoFactorCode: codeOf(first) })).status).toBe(400);
    expect((await enable(token, { password: PASSWORD, twoFactorCode: codeOf(last) })).status).toBe(200);
  });

  it('is rejected while two-factor authentication is enabled', async () => {
    const { token } = await makeTwoFactorUser(test);
    expect((await generate(token)).status).toBe(400);
  });

  it('requires a token with sufficient scopes', async () => {
    const { id } = await makeUser(test);
    expect((await generate(tokenOf(test, id, ['all.User.bounded']))).status).toBe(403);
    expect((await test.client.request('PATCH', '/me/generateTwoFactorAuth')).status).toBe(401);
  });
});

describe('PATCH /me/enableTwoFactorAuth', () => {
  it('enables two-factor authentication with a code for the generated key', async () => {
    const { id, email, token } = await makeUser(test);
    const { key } = (await generate(token)).body;
    const twoFactorCode = codeOf(key);
    const { status, body } = await enable(token, { password: PASSWORD, twoFactorCode });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, twoFactorAuthEnabled: true });
    expect((await signIn(test, { email, password: PASSWORD })).status).toBe(401);
    expect((await signIn(test, { email, password: PASSWORD, twoFactorCode })).status).toBe(401);
    expect((await signIn(test, { email, password: PASSWORD, twoFactorCode: codeOf(key, 1) })).status).toBe(
      200,
    );
    const stored = await test.dataSource.manager.findOneByOrFail(User, { id });
    expect(JSON.stringify(stored)).not.toContain(key);
  });

  it('accepts a key of the caller, which is then used', async () => {
    const { email, token } = await makeUser(test);
    await generate(token);
    const key = newTotpKey();
    const body = { password: PASSWORD, twoFactorAuthKey: key, twoFactorCode: codeOf(key) };
    expect((await enable(token, body)).status).toBe(200);
    expect((await signIn(test, { email, password: PASSWORD, twoFactorCode: codeOf(key, 1) })).status).toBe(
      200,
    );
  });

  it('keeps existing tokens valid', async () => {
    const { token } = await makeUser(test);
    const { key } = (await generate(token)).body;
    await enable(token, { password: PASSWORD, twoFactorCode: codeOf(key) });
    expect(await isOn(token)).toBe(true);
  });

  it('rejects a wrong password or code without enabling two-factor authentication', async () => {
    const { token } = await makeUser(test);
    const { key } = (await generate(token)).body;
    const password = await enable(token, { password: WRONG, twoFactorCode: codeOf(key) });
    expect(password.status).toBe(400);
    expect(password.body.message).toBe('multiFactorAuthEnable.password is not your password');
    const code = await enable(token, { password: PASSWORD, twoFactorCode: wrongCode(key) });
    expect(code.status).toBe(400);
    expect(code.body.message).toMatch(/^multiFactorAuthEnable\.twoFactorCode/);
    expect(await isOn(token)).toBe(false);
    expect((await enable(token, { password: PASSWORD, twoFactorCode: codeOf(key) })).status).toBe(200);
  });

  it('is rejected if no key was generated', async () => {
    const { token } = await makeUser(test);
    const { status, body } = await enable(token, { password: PASSWORD, twoFactorCode: '123456' });
    expect(status).toBe(400);
    expect(body.message).toMatch(/^multiFactorAuthEnable\.twoFactorAuthKey/);
  });

  it('is rejected while enabled, so that no token can replace the key', async () => {
    const { token } = await makeTwoFactorUser(test);
    const key = newTotpKey();
    const body = { password: PASSWORD, twoFactorAuthKey: key, twoFactorCode: codeOf(key) };
    expect((await enable(token, body)).status).toBe(400);
  });

  it('is rejected for users who sign in through an identity provider', async () => {
    const { token } = await makeUser(test, { ssoLinked: true });
    const { key } = (await generate(token)).body;
    expect((await enable(token, { password: PASSWORD, twoFactorCode: codeOf(key) })).status).toBe(400);
  });

  it.each<[string, object]>([
    ['no password', { twoFactorCode: '123456' }],
    ['no code', { password: PASSWORD }],
    ['a code that is a number', { password: PASSWORD, twoFactorCode: 123456 }],
    ['a short key', { password: PASSWORD, twoFactorCode: '123456', twoFactorAuthKey: 'A'.repeat(51) }],
    [
      'a key that is not base32',
      { password: PASSWORD, twoFactorCode: '123456', twoFactorAuthKey: '1'.repeat(52) },
    ],
    ['an unknown property', { password: PASSWORD, twoFactorCode: '123456', force: true }],
  ])('rejects %s with 400', async (_, body) => {
    const { token } = await makeUser(test);
    const answer = await enable(token, body);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(/^multiFactorAuthEnable\./);
  });

  it('requires a token with sufficient scopes', async () => {
    const { id } = await makeUser(test);
    const body = { password: PASSWORD, twoFactorCode: '123456' };
    expect((await enable(tokenOf(test, id, ['all.User.read']), body)).status).toBe(403);
    expect((await test.client.patch('/me/enableTwoFactorAuth', body)).status).toBe(401);
  });
});

describe('PATCH /me/disableTwoFactorAuth', () => {
  it('disables two-factor authentication with the password and a code', async () => {
    const { id, email, token, key } = await makeTwoFactorUser(test);
    const { status, body } = await disable(token, { password: PASSWORD, twoFactorCode: codeOf(key) });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, twoFactorAuthEnabled: false });
    expect((await signIn(test, { email, password: PASSWORD })).status).toBe(200);
  });

  it('deletes the key: enabling it again requires a new one', async () => {
    const { token, key } = await makeTwoFactorUser(test);
    await disable(token, { password: PASSWORD, twoFactorCode: codeOf(key) });
    expect((await enable(token, { password: PASSWORD, twoFactorCode: codeOf(key, 1) })).status).toBe(400);
    const { key: next } = (await generate(token)).body;
    expect(next).not.toBe(key);
    expect((await enable(token, { password: PASSWORD, twoFactorCode: codeOf(next) })).status).toBe(200);
  });

  it('rejects a wrong password, a wrong code and a used code without disabling two-factor authentication', async () => {
    const { email, token, key } = await makeTwoFactorUser(test);
    const used = codeOf(key);
    expect((await signIn(test, { email, password: PASSWORD, twoFactorCode: used })).status).toBe(200);
    const tries = [
      { password: WRONG, twoFactorCode: codeOf(key, 1) },
      { password: PASSWORD, twoFactorCode: wrongCode(key) },
      { password: PASSWORD, twoFactorCode: used },
    ];
    for (const body of tries) {
      const answer = await disable(token, body);
      expect(answer.status).toBe(400);
      expect(answer.body.message).toMatch(/^multiFactorAuthDisable\./);
    }
    expect(await isOn(token)).toBe(true);
  });

  it('cannot be used to guess the code', async () => {
    const { token, key } = await makeTwoFactorUser(test);
    for (let i = 0; i < 10; i++)
      expect((await disable(token, { password: PASSWORD, twoFactorCode: wrongCode(key) })).status).toBe(400);
    expect((await disable(token, { password: PASSWORD, twoFactorCode: codeOf(key) })).status).toBe(429);
    expect(await isOn(token)).toBe(true);
  });

  it('is rejected while two-factor authentication is disabled', async () => {
    const { token } = await makeUser(test);
    expect((await disable(token, { password: PASSWORD, twoFactorCode: '123456' })).status).toBe(400);
  });

  it.each<object>([
    { password: PASSWORD },
    { twoFactorCode: '123456' },
    { password: PASSWORD, twoFactorCode: '1', x: 1 },
  ])('rejects %j with 400', async (body) => {
    const { token } = await makeTwoFactorUser(test);
    expect((await disable(token, body)).status).toBe(400);
  });

  it('requires a token with sufficient scopes', async () => {
    const { id, key } = await makeTwoFactorUser(test);
    const body = { password: PASSWORD, twoFactorCode: codeOf(key) };
    expect((await disable(tokenOf(test, id, ['me.get', 'all.User.bounded']), body)).status).toBe(403);
    expect((await test.client.patch('/me/disableTwoFactorAuth', body)).status).toBe(401);
  });
});
