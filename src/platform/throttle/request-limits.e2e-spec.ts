import { startApp, type TestApp } from '../../../test/setup/app.js';
import type { Answer } from '../../../test/contract/client.js';
import { deviceToken, makeDevice, makeKey } from '../../../test/make/device-tokens.js';
import { makeApplication, makeUser, uniqueName } from '../../../test/make/make.js';
import { suite } from '../../../test/setup/suite.js';
import { waitUntil } from '../../../test/setup/until.js';

const PER_TOKEN = 30;
const PER_OWNER = 50;
const PER_FLEET = 40;
const LIMITS = {
  REQUESTS_PER_TOKEN: String(PER_TOKEN),
  REQUESTS_PER_OWNER: String(PER_OWNER),
  REQUESTS_PER_FLEET: String(PER_FLEET),
};

/** Sends requests until one is rejected. Windows start at fixed times, so up to twice the limit may be accepted. */
async function exhaust(test: TestApp, token: string): Promise<Answer[]> {
  const answers: Answer[] = [];
  do answers.push(await test.client.get('/me', { token }));
  while (answers.at(-1)!.status === 200 && answers.length <= 2 * PER_OWNER);
  return answers;
}

const limitOf = ({ headers }: Answer) => Number(headers.get('ratelimit-limit'));
const leftOf = ({ headers }: Answer) => Number(headers.get('ratelimit-remaining'));

async function tokensOf(test: TestApp, count: number): Promise<string[]> {
  const { token } = await makeUser(test);
  const tokens: string[] = [];
  for (let i = 0; i < count; i++)
    tokens.push((await test.client.post('/me/tokens', { name: uniqueName() }, { token })).body.token);
  return tokens;
}

describe('The request limit', () => {
  const { test, other } = suite(LIMITS, { retries: false });

  it('is reported in each response and then enforced', async () => {
    const [token] = await tokensOf(test, 1);
    const answers = await exhaust(test, token!);
    const refused = answers.pop()!;
    expect(refused).toMatchObject({
      status: 429,
      body: { type: 'TooManyRequests', message: 'Too many requests' },
    });
    expect([limitOf(refused), leftOf(refused)]).toEqual([PER_TOKEN, 0]);
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBe(Number(refused.headers.get('ratelimit-reset')));
    for (const answer of answers) {
      expect(limitOf(answer)).toBe(PER_TOKEN);
      expect(leftOf(answer)).toBeGreaterThanOrEqual(0);
    }
    expect(leftOf(answers.at(-2)!) - leftOf(answers.at(-1)!)).toBe(1);
  });

  it('applies to each token, and to all tokens of an owner together', async () => {
    const [first, second, third] = await tokensOf(test, 3);
    const stranger = await makeUser(test);
    await waitUntil(async () => {
      const [one, two] = [await exhaust(test, first!), await exhaust(test, second!)];
      const { status, headers } = await test.client.get('/me', { token: third });
      expect(leftOf(one[0]!)).toBeGreaterThanOrEqual(0);
      // The limit of the owner, because the third token is unused.
      return (
        two.at(-1)!.status === 429 && status === 429 && headers.get('ratelimit-limit') === String(PER_OWNER)
      );
    });
    expect((await test.client.get('/me', { token: stranger.token })).status).toBe(200);
  });

  it('counts application tokens for the owner', async () => {
    const { token } = await makeUser(test);
    const { id } = await makeApplication(test, token);
    const path = `/applications/${id}`;
    const made = await test.client.post(
      `${path}/tokens`,
      { name: 'a', scope: ['all.Application'] },
      { token },
    );
    await waitUntil(async () => {
      for (let i = 0; i < PER_TOKEN; i++) await test.client.get('/me', { token });
      for (let i = 0; i < PER_TOKEN; i++) await test.client.get(path, { token: made.body.token });
      const answer = await test.client.get(path, { token: made.body.token });
      return answer.status === 429 && limitOf(answer) === PER_OWNER;
    });
  });

  it('counts all devices of an owner together, separately from other callers', async () => {
    const { token } = await makeUser(test);
    const { id } = await makeApplication(test, token);
    const key = await makeKey(test, token, id);
    const devices = [await makeDevice(test, token, id), await makeDevice(test, token, id)];
    const asked = devices.map((device) => ({
      path: `/applications/${id}/devices/${device.id}`,
      token: deviceToken(test, device.id, key.id),
    }));
    await waitUntil(async () => {
      for (let i = 0; i < PER_FLEET / 2; i++)
        for (const { path, ...own } of asked) await test.client.get(path, own);
      const { path, ...own } = asked[0]!;
      const answer = await test.client.get(path, own);
      return answer.status === 429 && limitOf(answer) === PER_FLEET;
    });
    expect((await test.client.get('/me', { token })).status).toBe(200);
  });

  it('counts requests across all processes', async () => {
    const [token] = await tokensOf(test, 1);
    await waitUntil(async () => {
      await exhaust(test, token!);
      return (await other.client.get('/me', { token })).status === 429;
    });
  });

  it('does not apply to requests without a token', async () => {
    for (const path of ['/health', '/auth/ssoDomain?email=a%40example.com'])
      expect((await test.client.get(path)).headers.get('ratelimit-limit')).toBeNull();
  });
});

describe('Limits', () => {
  let test: TestApp;
  afterEach(() => test.close());

  it('apply without Redis', async () => {
    test = await startApp(LIMITS, { redisUrl: 'redis://127.0.0.1:9', retries: false });
    const { token } = await makeUser(test);
    expect((await exhaust(test, token)).at(-1)!.status).toBe(429);
  });

  it('of 0 mean no limit', async () => {
    test = await startApp({ REQUESTS_PER_TOKEN: '0', REQUESTS_PER_OWNER: '0', REQUESTS_PER_FLEET: '0' });
    const { token } = await makeUser(test);
    const { status, headers } = await test.client.get('/me', { token });
    expect([status, headers.get('ratelimit-limit')]).toEqual([200, null]);
  });
});
