import { withClock } from '../../../../test/doubles/clock.js';
import { PASSWORD } from '../../../../test/make/make.js';
import { BEHIND_PROXY, claimsOf, makeApiToken, signIn } from '../../../../test/make/sign-in.js';
import { suite } from '../../../../test/setup/suite.js';

const NEW_PASSWORD = 'Correct-Horse-77';
const HOUR = 3_600_000;

const { test, user } = suite(BEHIND_PROXY);

const patch = (token: string, body: object) => test.client.patch('/me', body, { token });
const status = async (token: string) => (await test.client.get('/me', { token })).status;
const session = async (password = PASSWORD): Promise<string> =>
  (await signIn(test, { email: user.email, password })).body.token;
const endAll = (token: string) =>
  test.client.patch(
    '/me/changePassword',
    { password: PASSWORD, newPassword: NEW_PASSWORD, invalidateExistingTokens: true },
    { token },
  );

describe('The token cutoff', () => {
  it('can only be moved forward', async () => {
    const stolen = await session();
    const { body } = await endAll(await session());
    const cutoff = (await test.client.get('/me', { token: body.token })).body.tokenCutoff;
    for (const tokenCutoff of ['2020-01-01T00:00:00.000Z', new Date(Date.parse(cutoff) - 1).toISOString()]) {
      const answer = await patch(body.token, { tokenCutoff });
      expect([answer.status, answer.body.message]).toEqual([
        400,
        'me.tokenCutoff must not be before its current value',
      ]);
    }
    expect(await status(stolen)).toBe(401);
    expect((await patch(body.token, { tokenCutoff: cutoff })).status).toBe(200);
    expect(await status(body.token)).toBe(200);
  });

  it('cannot be changed with an API token, nor can the email address or password', async () => {
    const { token } = await makeApiToken(test, user.token, { scope: ['me.patch'] });
    const currentCredentials = { password: PASSWORD };
    for (const body of [
      { tokenCutoff: '2020-01-01T00:00:00.000Z' },
      { email: `other-${user.email}`, currentCredentials },
      { password: NEW_PASSWORD, currentCredentials },
    ]) {
      const answer = await patch(token, body);
      expect([answer.status, answer.body.message]).toEqual([
        403,
        'An API token cannot change how its user signs in',
      ]);
    }
    expect((await patch(token, { title: 'Engineer' })).status).toBe(200);
    expect((await signIn(test, { email: user.email, password: PASSWORD })).status).toBe(200);
  });

  it('applies to a token refreshed concurrently', async () => {
    const tokens = await Promise.all(Array.from({ length: 8 }, () => session()));
    const [first, ...others] = tokens as [string, ...string[]];
    const [ended, ...refreshed] = await Promise.all([
      endAll(first),
      ...others.map((token) => test.client.get('/me/refreshToken', { token })),
    ]);
    expect(ended.status).toBe(200);
    for (const answer of refreshed)
      expect(answer.status === 200 ? await status(answer.body.token) : 401).toBe(401);
    expect(await status(ended.body.token)).toBe(200);
  });
});

describe.each([
  ['behind', -HOUR],
  ['ahead', HOUR],
])('A process with its clock one hour %s', (_which, away) => {
  const elsewhere = <T>(work: () => Promise<T>): Promise<T> => withClock(away, work);

  it('issues tokens that are valid after a password change in another process', async () => {
    await endAll(await session());
    const token = await elsewhere(() => session(NEW_PASSWORD));
    expect(await status(token)).toBe(200);
  });

  it('revokes tokens issued by other processes on a password change', async () => {
    const before = await session();
    const { token } = (await elsewhere(async () => endAll(await session()))).body;
    expect([await status(before), await status(token)]).toEqual([401, 200]);
  });

  it('issues no tokens that remain valid after a password change in another process', async () => {
    const token = await elsewhere(() => session());
    const { body } = await endAll(await session());
    expect([await status(token), await status(body.token)]).toEqual([401, 200]);
    expect(claimsOf(token).iat).toBeLessThan(claimsOf(body.token).iat);
  });
});
