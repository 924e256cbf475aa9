import type { TestApp } from '../../../../test/setup/app.js';
import { mailsTo } from '../../../../test/doubles/mails.js';
import { makeUser, PASSWORD, tokenOf } from '../../../../test/make/make.js';
import {
  BEHIND_PROXY,
  claimsOf,
  codeOf,
  clientAddress,
  makeApiToken,
  makeTwoFactorUser,
  signIn,
} from '../../../../test/make/sign-in.js';
import { suite } from '../../../../test/setup/suite.js';
import { Job } from '../../../platform/jobs/job.entity.js';

const NEW_PASSWORD = 'Correct-Horse-77';
const WRONG = 'Wrong-Horse-7';

const { test, other } = suite(BEHIND_PROXY);

const changePassword = (token: string, body: object) =>
  test.client.patch('/me/changePassword', body, { token, headers: clientAddress() });
const statusOn = async (app: TestApp, token: string) => (await app.client.get('/me', { token })).status;

describe('PATCH /me/changePassword', () => {
  const change = { password: PASSWORD, newPassword: NEW_PASSWORD };

  it('invalidates the old password and returns a token with the same scopes', async () => {
    const { id, email } = await makeUser(test);
    const token = tokenOf(test, id, ['me.*']);
    const { status, body } = await changePassword(token, change);
    expect(status).toBe(200);
    expect(body).toEqual({ userId: id, token: expect.any(String) });
    expect(claimsOf(body.token).scope).toEqual(['me.*']);
    expect(claimsOf(body.token).exp! - claimsOf(body.token).iat).toBeCloseTo(86_400, 3);
    expect((await signIn(test, { email, password: PASSWORD })).status).toBe(401);
    expect((await signIn(test, { email, password: NEW_PASSWORD })).status).toBe(200);
    expect([await statusOn(test, token), await statusOn(test, body.token)]).toEqual([200, 200]);
    expect((await test.client.get('/me', { token })).body.passwordLastUpdated).toEqual(expect.any(String));
  });

  it.each([60, 0])('issues the new token with the requested lifetime (%i s)', async (tokenTTL) => {
    const { token } = await makeUser(test);
    const { iat, exp } = claimsOf((await changePassword(token, { ...change, tokenTTL })).body.token);
    expect(exp === undefined ? 0 : Math.round(exp - iat)).toBe(tokenTTL);
  });

  it('notifies the user once', async () => {
    const { email, token } = await makeUser(test);
    await changePassword(token, change);
    expect(await mailsTo(test, email)).toEqual([
      { to: email, subject: 'Your account was changed', text: expect.stringContaining('password') },
    ]);
    const jobs = await test.dataSource.manager.findBy(Job, { name: 'mail.send' });
    expect(JSON.stringify(jobs)).not.toContain(NEW_PASSWORD);
  });

  it('revokes existing session tokens immediately in every process if requested', async () => {
    const { id, token } = await makeUser(test);
    const second = tokenOf(test, id, ['me.get']);
    const apiToken = (await makeApiToken(test, token)).token;
    for (const app of [test, other])
      for (const each of [token, second, apiToken]) expect(await statusOn(app, each)).toBe(200);
    const { status, body } = await changePassword(token, { ...change, invalidateExistingTokens: true });
    expect(status).toBe(200);
    for (const app of [test, other]) {
      expect(await statusOn(app, token)).toBe(401);
      expect(await statusOn(app, second)).toBe(401);
      expect(await statusOn(app, body.token)).toBe(200);
      expect(await statusOn(app, apiToken)).toBe(200);
    }
  });

  it('keeps existing tokens by default', async () => {
    const { token } = await makeUser(test);
    await changePassword(token, { ...change, invalidateExistingTokens: false });
    expect([await statusOn(test, token), await statusOn(other, token)]).toEqual([200, 200]);
  });

  it('requires a two-factor code if enabled', async () => {
    const { token, key } = await makeTwoFactorUser(test);
    const without = await changePassword(token, change);
    expect(without.status).toBe(400);
    expect(without.body.message).toMatch(/^changePassword\.twoFactorCode/);
    expect((await changePassword(token, { ...change, twoFactorCode: codeOf(key) })).status).toBe(200);
  });

  it('rejects a wrong password without notifying the user or changing anything', async () => {
    const { email, token } = await makeUser(test);
    const { status, body } = await changePassword(token, { ...change, password: WRONG });
    expect(status).toBe(400);
    expect(body).toEqual({ type: 'Validation', message: 'changePassword.password is not your password' });
    expect(await mailsTo(test, email)).toEqual([]);
    expect((await signIn(test, { email, password: PASSWORD })).status).toBe(200);
  });

  it('rejects users who sign in through an identity provider', async () => {
    const { token } = await makeUser(test, { ssoLinked: true });
    expect((await changePassword(token, change)).status).toBe(400);
  });

  it.each([
    'Short-Pass1',
    'no-upper-case-1',
    'NO-LOWER-CASE-1',
    'No-Digit-Here',
    'NoSymbolHere1',
    `Aa-1${'x'.repeat(2045)}`,
  ])('rejects the new password %s', async (newPassword) => {
    const { token } = await makeUser(test);
    const { status, body } = await changePassword(token, { ...change, newPassword });
    expect(status).toBe(400);
    expect(body.message).toMatch(/^changePassword\.newPassword/);
  });

  it.each<[string, object]>([
    ['no password', { newPassword: NEW_PASSWORD }],
    ['no new password', { password: PASSWORD }],
    ['an unknown property', { ...change, email: 'x@example.com' }],
    ['a negative life', { ...change, tokenTTL: -1 }],
    ['a flag as text', { ...change, invalidateExistingTokens: 'true' }],
  ])('rejects %s with 400', async (_, body) => {
    const { token } = await makeUser(test);
    const answer = await changePassword(token, body);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(/^changePassword\./);
  });

  it('requires a token with sufficient scopes', async () => {
    const { id } = await makeUser(test);
    expect((await changePassword(tokenOf(test, id, ['all.User.bounded']), change)).status).toBe(403);
    expect((await test.client.patch('/me/changePassword', change, { headers: clientAddress() })).status).toBe(
      401,
    );
  });

  it('accepts one of two concurrent requests with the same code', async () => {
    const { token, key } = await makeTwoFactorUser(test);
    const body = { ...change, twoFactorCode: codeOf(key) };
    const both = await Promise.all([changePassword(token, body), changePassword(token, body)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});
