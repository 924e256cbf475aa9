import { randomInt } from 'node:crypto';
import { makeUser, PASSWORD, uniqueName } from '../../../../test/make/make.js';
import { BEHIND_PROXY, freshAddress, clientAddress, signIn } from '../../../../test/make/sign-in.js';
import { suite } from '../../../../test/setup/suite.js';

const WRONG = 'Wrong-Horse-7';
const NEW_PASSWORD = 'Correct-Horse-77';

const { test } = suite(BEHIND_PROXY, { retries: false });

type Answer = Awaited<ReturnType<typeof signIn>>;

const expectRefused = ({ status, body, headers }: Answer, type: string, longest: number) => {
  expect(status).toBe(429);
  expect(body).toEqual({ type, message: expect.any(String) });
  expect(headers.get('retry-after')).toMatch(/^\d+$/);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(longest);
};
const expectLocked = (answer: Answer, longest = 15) => expectRefused(answer, 'AccountLocked', longest);
const expectFull = (answer: Answer) => expectRefused(answer, 'TooManyRequests', 900);
const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status);
const many = (count: number, send: (i: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, i) => send(i)));

describe('Failed sign-ins', () => {
  it('block an account from an address after ten failures, in any spelling, even with the right password', async () => {
    const { email } = await makeUser(test);
    const other = await makeUser(test);
    const address = freshAddress();
    for (let i = 0; i < 10; i++) {
      const written = i % 2 ? email : email.toUpperCase();
      expect((await signIn(test, { email: written, password: WRONG }, address)).status).toBe(401);
    }
    expectLocked(await signIn(test, { email, password: PASSWORD }, address));
    expectLocked(await signIn(test, { email, password: WRONG }, address));
    expect((await signIn(test, { email: other.email, password: PASSWORD }, address)).status).toBe(200);
  });

  it('do not block the user at other addresses', async () => {
    const { email } = await makeUser(test);
    const address = freshAddress();
    await many(30, () => signIn(test, { email, password: WRONG }, address));
    expectLocked(await signIn(test, { email, password: PASSWORD }, address));
    expect((await signIn(test, { email, password: PASSWORD })).status).toBe(200);
  });

  it('block an unknown email address in the same way', async () => {
    const email = `${uniqueName()}@example.com`;
    const address = freshAddress();
    for (let i = 0; i < 10; i++)
      expect((await signIn(test, { email, password: WRONG }, address)).status).toBe(401);
    expectLocked(await signIn(test, { email, password: WRONG }, address));
  });

  it('are counted even if thirty arrive concurrently', async () => {
    const { email } = await makeUser(test);
    const address = freshAddress();
    const statuses = statusesOf(await many(30, () => signIn(test, { email, password: WRONG }, address)));
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    expectLocked(await signIn(test, { email, password: PASSWORD }, address));
  });

  it('are reset by the first success', async () => {
    const { email } = await makeUser(test);
    const address = freshAddress();
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 9; i++)
        expect((await signIn(test, { email, password: WRONG }, address)).status).toBe(401);
      expect((await signIn(test, { email, password: PASSWORD }, address)).status).toBe(200);
    }
  });

  it('from many addresses slow down those from which the account has never signed in', async () => {
    const { email } = await makeUser(test);
    const home = freshAddress();
    expect((await signIn(test, { email, password: PASSWORD }, home)).status).toBe(200);
    // In rounds, because more concurrent sign-ins than the queue for hashes holds are rejected and not counted.
    const guesses: number[] = [];
    for (let round = 0; round < 4; round++)
      guesses.push(...statusesOf(await many(40, () => signIn(test, { email, password: WRONG }))));
    expect(new Set(guesses)).toEqual(new Set([401, 429]));
    expect(guesses.filter((status) => status === 401).length).toBeLessThan(130);
    const more = await many(20, () => signIn(test, { email, password: WRONG }));
    expect(statusesOf(more)).toContain(429);
    expectLocked(
      more.find(({ status }) => status === 429)!,
      60,
    );
    expect((await signIn(test, { email, password: PASSWORD }, home)).status).toBe(200);
  });

  it('count the addresses of an IPv6 network as one, and ignore ports', async () => {
    const { email } = await makeUser(test);
    const network = `2001:db8:${randomInt(0xffff).toString(16)}:${randomInt(0xffff).toString(16)}`;
    const fourth = freshAddress();
    for (const from of [
      (i: number) => `[${network}::${i + 1}]:${50_000 + i}`,
      (i: number) => `${fourth}:${50_000 + i}`,
    ]) {
      const answers = await many(12, (i) => signIn(test, { email, password: WRONG }, from(i)));
      expect(statusesOf(answers).filter((status) => status === 401)).toHaveLength(10);
    }
    expectLocked(await signIn(test, { email, password: PASSWORD }, `${network}:ffff::1`));
    expectLocked(await signIn(test, { email, password: PASSWORD }, fourth));
  });

  it('do not affect signed-in users, who can still change the password', async () => {
    const { email, token } = await makeUser(test);
    const address = freshAddress();
    await many(12, () => signIn(test, { email, password: WRONG }, address));
    expectLocked(await signIn(test, { email, password: PASSWORD }, address));
    expect((await test.client.get('/me', { token })).status).toBe(200);
    const change = { password: PASSWORD, newPassword: NEW_PASSWORD };
    const answer = await test.client.patch('/me/changePassword', change, {
      token,
      headers: clientAddress(address),
    });
    expect(answer.status).toBe(200);
  });

  it('block an address after a hundred failures, for every sign-in method', async () => {
    const { email } = await makeUser(test);
    const address = freshAddress();
    const saml = { SAMLResponse: 'PGEvPg==', SAMLDomain: 'nowhere.example' };
    const tries = await many(100, () =>
      test.client.post('/auth/user/saml', saml, { headers: clientAddress(address) }),
    );
    expect(tries.every(({ status }) => status === 401)).toBe(true);
    expectFull(await signIn(test, { email, password: PASSWORD }, address));
    expectFull(await test.client.post('/auth/user/saml', saml, { headers: clientAddress(address) }));
    const codehost = { accessToken: 'gho_x' };
    expectFull(await test.client.post('/auth/user/codehost', codehost, { headers: clientAddress(address) }));
    // Only the last entry, added by the proxy itself, is trusted.
    expectFull(await signIn(test, { email, password: PASSWORD }, `${freshAddress()}, ${address}`));
    expect((await signIn(test, { email, password: PASSWORD })).status).toBe(200);
  });
});

describe('Failed confirmations of the password', () => {
  const change = (token: string, address: string, password: string) =>
    test.client.patch(
      '/me/changePassword',
      { password, newPassword: NEW_PASSWORD },
      { token, headers: clientAddress(address) },
    );

  it('block further confirmations only', async () => {
    const { email, token } = await makeUser(test);
    const address = freshAddress();
    const answers = await many(12, () => change(token, address, WRONG));
    expect(statusesOf(answers).filter((status) => status === 400)).toHaveLength(10);
    expectLocked(await change(token, address, PASSWORD));
    expect((await signIn(test, { email, password: PASSWORD }, address)).status).toBe(200);
    expect((await change(token, freshAddress(), PASSWORD)).status).toBe(200);
  });
});
