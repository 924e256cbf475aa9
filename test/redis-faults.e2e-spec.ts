import { installedRedis } from '../src/platform/jobs/private-redis.js';
import { redisForWorker, startApp, type TestApp } from './app.js';
import { makeUser, PASSWORD } from './make.js';
import { OwnRedis } from './setup/own-redis.js';
import { Proxy } from './setup/proxy.js';
import { BEHIND_PROXY, freshAddress, signIn } from './sign-in.js';
import { ListenedWebhook } from './webhooks.js';

/** Something that can be made to hang, as a server that is stopped or a network that swallows everything. */
interface Hanging {
  url: string;
  hang(): Promise<void> | void;
  end(): Promise<void>;
}

async function stoppedServer(): Promise<Hanging> {
  const redis = await OwnRedis.start();
  return { url: redis.url, hang: () => redis.hang(), end: () => redis.stop() };
}

async function silentNetwork(): Promise<Hanging> {
  const proxy = await Proxy.before(redisForWorker());
  return { url: proxy.url, hang: () => proxy.stall(), end: () => proxy.refuse() };
}

const WAYS: [string, () => Promise<Hanging>][] = [['behind a network that is silent', silentNetwork]];
if (installedRedis()) WAYS.unshift(['that is stopped', stoppedServer]);

describe.each(WAYS)('With a Redis %s', (_, make) => {
  let redis: Hanging;
  let test: TestApp;
  const start = async () => (test = await startApp(BEHIND_PROXY, { redisUrl: redis.url }));

  beforeEach(async () => {
    redis = await make();
  });

  afterEach(() => redis.end());

  it('everybody is answered, and the platform ends', async () => {
    await start();
    const user = await makeUser(test);
    const webhook = await ListenedWebhook.make(test);
    await redis.hang();
    const { email } = user;
    expect(await signIn(test, { email, password: PASSWORD })).toMatchObject({ status: 200 });
    expect(await webhook.postJson({ a: 1 })).toMatchObject({ status: 200 });
    expect(await test.client.get('/health/ready')).toMatchObject({
      status: 200,
      body: { status: 'ok', details: { redis: { status: 'down' } } },
    });
    await test.close();
  });

  it('failed sign-ins are counted by the process', async () => {
    await start();
    const user = await makeUser(test);
    await redis.hang();
    const address = freshAddress();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 12; attempt++) {
      const { status } = await signIn(test, { email: user.email, password: 'Wrong-Horse-7!' }, address);
      statuses.push(status);
    }
    expect(statuses[0]).toBe(401);
    expect(statuses.at(-1)).toBe(429);
    await test.close();
  });

  it('the platform starts, serves and ends', async () => {
    await redis.hang();
    await start();
    const { email } = await makeUser(test);
    expect(await signIn(test, { email, password: PASSWORD })).toMatchObject({ status: 200 });
    await test.close();
  });
});
