import { makeUser, PASSWORD, unique } from '../../../test/make.js';
import { BEHIND_PROXY, freshAddress, from, signIn } from '../../../test/sign-in.js';
import { suite } from '../../../test/suite.js';

const WRONG = 'Wrong-Horse-7';

const { test } = suite(BEHIND_PROXY);

describe('Failed sign-ins', () => {
  const expectRefused = ({ status, body, headers }: Awaited<ReturnType<typeof signIn>>) => {
    expect(status).toBe(429);
    expect(body).toEqual({ type: 'TooManyRequests', message: expect.any(String) });
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(900);
  };

  it('shut an account after ten, from wherever and however written, also for the right password', async () => {
    const { email } = await makeUser(test);
    const other = await makeUser(test);
    for (let i = 0; i < 10; i++) {
      const written = i % 2 ? email : email.toUpperCase();
      expect((await signIn(test, { email: written, password: WRONG })).status).toBe(401);
    }
    const address = freshAddress();
    expectRefused(await signIn(test, { email, password: PASSWORD }, address));
    expectRefused(await signIn(test, { email, password: WRONG }, address));
    expect((await signIn(test, { email: other.email, password: PASSWORD }, address)).status).toBe(200);
  });

  it('shut an address that nobody has just so', async () => {
    const email = `${unique()}@example.com`;
    for (let i = 0; i < 10; i++) expect((await signIn(test, { email, password: WRONG })).status).toBe(401);
    expectRefused(await signIn(test, { email, password: WRONG }));
  });

  it('count also when thirty come at once', async () => {
    const { email } = await makeUser(test);
    const all = await Promise.all(Array.from({ length: 30 }, () => signIn(test, { email, password: WRONG })));
    const statuses = all.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    expectRefused(await signIn(test, { email, password: PASSWORD }));
  });

  it('are forgotten with the first that succeeds', async () => {
    const { email } = await makeUser(test);
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 9; i++) expect((await signIn(test, { email, password: WRONG })).status).toBe(401);
      expect((await signIn(test, { email, password: PASSWORD })).status).toBe(200);
    }
  });

  it('leave those who are signed in alone', async () => {
    const { email, token } = await makeUser(test);
    for (let i = 0; i < 10; i++) await signIn(test, { email, password: WRONG });
    expectRefused(await signIn(test, { email, password: PASSWORD }));
    expect((await test.client.get('/me', { token })).status).toBe(200);
  });

  it('shut an address after a hundred, for every way of signing in', async () => {
    const { email } = await makeUser(test);
    const address = freshAddress();
    const saml = { SAMLResponse: 'PGEvPg==', SAMLDomain: 'nowhere.example' };
    const tries = await Promise.all(
      Array.from({ length: 100 }, () =>
        test.client.post('/auth/user/saml', saml, { headers: from(address) }),
      ),
    );
    expect(tries.every(({ status }) => status === 401)).toBe(true);
    expectRefused(await signIn(test, { email, password: PASSWORD }, address));
    expectRefused(await test.client.post('/auth/user/saml', saml, { headers: from(address) }));
    const codehost = { accessToken: 'gho_x' };
    expectRefused(await test.client.post('/auth/user/codehost', codehost, { headers: from(address) }));
    // Only what the proxy itself wrote, which comes last, is believed.
    expectRefused(await signIn(test, { email, password: PASSWORD }, `${freshAddress()}, ${address}`));
    expect((await signIn(test, { email, password: PASSWORD })).status).toBe(200);
  });
});
