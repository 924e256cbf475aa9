import { AccessCache } from '../../src/platform/access/access-cache.js';
import { Revocations } from '../../src/platform/access/revocations.js';
import { installedRedis } from '../../src/platform/jobs/private-redis.js';
import { boundedRedis } from '../../src/platform/jobs/redis.js';
import { redisForWorker, startApp, type TestApp } from '../setup/app.js';
import { EventReader } from '../doubles/event-reader.js';
import { makeDevice } from '../make/device-tokens.js';
import { makeApplication, makeUser, PASSWORD, tokenOf, uniqueName, type TestUser } from '../make/make.js';
import { OwnRedis } from '../setup/own-redis.js';
import { Proxy } from '../setup/proxy.js';
import { BEHIND_PROXY, freshAddress, sharedKeys, signIn } from '../make/sign-in.js';
import { waitUntil } from '../setup/until.js';
import { ListenedWebhook } from '../make/webhooks.js';

/** A Redis that can be made to hang, such as a stopped process or a network that drops all packets. */
interface Hanging {
  url: string;
  hang(): void;
  resume(): Promise<void> | void;
  end(): Promise<void>;
}

async function stoppedServer(): Promise<Hanging> {
  const redis = await OwnRedis.start();
  return { url: redis.url, hang: () => redis.hang(), resume: () => redis.resume(), end: () => redis.stop() };
}

async function silentNetwork(): Promise<Hanging> {
  const proxy = await Proxy.before(redisForWorker());
  return {
    url: proxy.url,
    hang: () => proxy.stall(),
    resume: () => proxy.restore(),
    end: () => proxy.refuse(),
  };
}

const OUTAGES: [string, () => Promise<Hanging>][] = [['behind a network that is silent', silentNetwork]];
if (installedRedis()) OUTAGES.unshift(['that is stopped', stoppedServer]);

describe.each(OUTAGES)('A platform with a Redis %s', (_, make) => {
  let redis: Hanging;
  let test: TestApp;
  const start = async () => (test = await startApp(BEHIND_PROXY, { redisUrl: redis.url, retries: false }));

  beforeEach(async () => {
    redis = await make();
  });

  afterEach(() => redis.end());

  it('answers all requests and stops', async () => {
    await start();
    const user = await makeUser(test);
    const webhook = await ListenedWebhook.make(test);
    redis.hang();
    const { email } = user;
    expect(await signIn(test, { email, password: PASSWORD })).toMatchObject({ status: 200 });
    expect(await webhook.postJson({ a: 1 })).toMatchObject({ status: 200 });
    expect(await test.client.get('/health/ready')).toMatchObject({
      status: 200,
      body: { status: 'ok', details: { redis: { status: 'down' } } },
    });
    await test.close();
  });

  it.each([
    ['from the first', 0],
    ['and from what was counted before', 8],
  ])('counts failed sign-ins in the process, %s', async (_when, before) => {
    await start();
    const user = await makeUser(test);
    const address = freshAddress();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 12; attempt++) {
      if (attempt === before) redis.hang();
      const { status } = await signIn(test, { email: user.email, password: 'Wrong-Horse-7!' }, address);
      statuses.push(status);
    }
    expect(statuses[0]).toBe(401);
    expect(statuses.at(-1)).toBe(429);
    await test.close();
  });

  it('starts, serves and stops', async () => {
    redis.hang();
    await start();
    const { email } = await makeUser(test);
    expect(await signIn(test, { email, password: PASSWORD })).toMatchObject({ status: 200 });
    await test.close();
  });
});

// The in-process Redis has no memory limit.
(installedRedis() ? describe : describe.skip)('A Redis whose memory is full', () => {
  it('is reported as down', async () => {
    const own = await OwnRedis.start();
    const redis = boundedRedis(own.url);
    await redis.connect();
    await redis.config('SET', 'maxmemory', '1');
    redis.disconnect();
    const test = await startApp({}, { redisUrl: own.url, retries: false });
    expect(await test.client.get('/health/ready')).toMatchObject({
      status: 200,
      body: { status: 'ok', details: { redis: { status: 'down' } } },
    });
    await test.close();
    await own.stop();
  });
});

describe('A revocation', () => {
  let server: Hanging;
  let network: Record<'first' | 'second', Proxy>;
  let first: TestApp;
  let second: TestApp;

  beforeEach(async () => {
    server = await (installedRedis() ? stoppedServer() : silentNetwork());
    network = { first: await Proxy.before(server.url), second: await Proxy.before(server.url) };
    const env = { ...sharedKeys(), ...BEHIND_PROXY };
    first = await startApp(env, { redisUrl: network.first.url, retries: false });
    second = await startApp(env, { redisUrl: network.second.url, retries: false });
    await waitUntil(async () => (await remembers(first)) && (await remembers(second)));
  });

  afterEach(async () => {
    await Promise.all([first.close(), second.close()]);
    await Promise.all([network.first.refuse(), network.second.refuse()]);
    await server.end();
  });

  /** Whether an app caches a token after its first use. */
  async function remembers(app: TestApp): Promise<boolean> {
    const { token } = await makeUser(app);
    await app.client.get('/me', { token });
    return app.app.get(AccessCache).get(token) !== undefined;
  }

  /** Revokes a token in one process that another has cached; returns the status from the other process. */
  async function statusAfter(change: TestApp, asked: TestApp): Promise<number> {
    const { token } = user;
    const made = await change.client.post('/me/tokens', { name: uniqueName() }, { token });
    const ask = async () => (await asked.client.get('/me', { token: made.body.token })).status;
    expect(await ask()).toBe(200);
    const path = `/me/tokens/${made.body.id}`;
    expect((await change.client.patch(path, { status: 'inactive' }, { token })).status).toBe(200);
    return ask();
  }

  let user: TestUser;
  beforeEach(async () => {
    user = await makeUser(first);
  });

  /** More rounds than the time-out allows if each took a second. */
  const ROUNDS = 20;

  async function expectNothingStale(): Promise<void> {
    const statuses: number[] = [];
    for (let round = 0; round < ROUNDS; round++)
      statuses.push(await statusAfter(first, second), await statusAfter(second, first));
    expect(statuses.filter((status) => status !== 401)).toEqual([]);
  }

  it('takes effect in every process immediately', async () => {
    await expectNothingStale();
    expect([await remembers(first), await remembers(second)]).toEqual([true, true]);
  });

  it('takes effect while Redis hangs, and afterwards', async () => {
    server.hang();
    await expectNothingStale();
    await server.resume();
    await waitUntil(async () => (await remembers(first)) && (await remembers(second)));
    await expectNothingStale();
  }, 60_000);

  it('takes effect while one process is disconnected, and afterwards', async () => {
    network.second.stall();
    await expectNothingStale();
    expect([await remembers(first), await remembers(second)]).toEqual([false, false]);
    await network.second.restore();
    await waitUntil(async () => (await remembers(first)) && (await remembers(second)));
    await expectNothingStale();
  }, 60_000);

  it('takes effect in a process that starts disconnected', async () => {
    await second.close();
    network.second.stall();
    const env = {
      TOKEN_PRIVATE_KEY: first.config.TOKEN_PRIVATE_KEY!,
      SECRETS_KEY: first.config.SECRETS_KEY!,
    };
    second = await startApp(env, { redisUrl: network.second.url, retries: false });
    await expectNothingStale();
  });

  it('takes effect after one process has stopped, with the other still caching', async () => {
    await second.close();
    for (let round = 0; round < 2 * ROUNDS; round++) expect(await statusAfter(first, first)).toBe(401);
    expect(await remembers(first)).toBe(true);
  });
});

describe('The stream of the commands of a device', () => {
  let server: Hanging;
  let network: Record<'first' | 'second', Proxy>;
  let first: TestApp;
  let second: TestApp;
  let user: TestUser;
  let device: string;
  let readers: EventReader[];

  beforeEach(async () => {
    server = await (installedRedis() ? stoppedServer() : silentNetwork());
    network = { first: await Proxy.before(server.url), second: await Proxy.before(server.url) };
    const env = { ...sharedKeys(), ...BEHIND_PROXY };
    first = await startApp(env, { redisUrl: network.first.url, retries: false });
    second = await startApp(env, { redisUrl: network.second.url, retries: false });
    user = await makeUser(first);
    const application = await makeApplication(first, user.token);
    const { id } = await makeDevice(first, user.token, application.id);
    device = `/applications/${application.id}/devices/${id}`;
    readers = [];
    // A process notices the death of a peer only after it has heard it once.
    await waitUntil(async () => second.app.get(Revocations)['peers'].size > 0);
  });

  afterEach(async () => {
    for (const reader of readers) reader.close();
    await Promise.all([first.close(), second.close()]);
    await Promise.all([network.first.refuse(), network.second.refuse()]);
    await server.end();
  });

  async function open(after?: string): Promise<EventReader> {
    const token = tokenOf(second, user.id, ['all.User']);
    const reader = await EventReader.open(`${second.client.url}${device}/commandStream`, token, { after });
    readers.push(reader);
    return reader;
  }

  async function send(name: string): Promise<void> {
    const { status } = await first.client.post(`${device}/command`, { name }, { token: user.token });
    expect(status).toBe(200);
  }

  /** The names that a client knows which reads the stored commands on each connect, as the document says. */
  async function namesAfter(reader: EventReader): Promise<Set<string>> {
    const stored = await second.client.get(`${device}/command?limit=10`, { token: user.token });
    return new Set([
      ...reader.events.map(({ data }) => data.name),
      ...stored.body.map(({ name }: any) => name),
    ]);
  }

  /** Opens a stream that has received one command. */
  async function listening(): Promise<{ reader: EventReader; last: string }> {
    const reader = await open();
    await send('before');
    const [event] = await reader.reads(1);
    return { reader, last: event!.id };
  }

  it('ends after the sender could not publish a command that it had stored', async () => {
    const { reader, last } = await listening();
    network.first.stall();
    await send('lost');
    expect(reader.isOver).toBe(false);
    await network.first.restore();
    await reader.ends();
    expect(reader.events).toHaveLength(1);
    const next = await open(last);
    expect(await namesAfter(next)).toEqual(new Set(['before', 'lost']));
    await waitUntil(async () => {
      await send('after');
      return next.events.length > 0 || next.isOver;
    });
  });

  it('ends after its process was disconnected, and continues with the missed commands', async () => {
    const { reader, last } = await listening();
    network.second.stall();
    await send('missed');
    await network.second.restore();
    await reader.ends();
    const next = await open(last);
    const [event] = await next.reads(1);
    expect(event!.data.name).toBe('missed');
  });

  it('ends after Redis hung', async () => {
    const { reader } = await listening();
    server.hang();
    await send('during');
    const during = await open();
    await server.resume();
    await Promise.all([reader.ends(), during.ends()]);
    expect(await namesAfter(await open())).toEqual(new Set(['before', 'during']));
  });

  it('ends if the sender dies before it can publish', async () => {
    const { reader } = await listening();
    network.first.stall();
    await send('lost');
    // To others, a process that is disconnected looks like one that was killed.
    await reader.ends(60_000);
    expect(await namesAfter(await open())).toEqual(new Set(['before', 'lost']));
  }, 120_000);
});
