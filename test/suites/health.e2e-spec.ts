import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ADMIN, redisForWorker, startApp, type TestApp } from '../setup/app.js';
import { makeApplication, makeUser, PASSWORD, uniqueName, type TestUser } from '../make/make.js';
import { databaseForWorker } from '../setup/databases.js';
import { Proxy } from '../setup/proxy.js';

let test: TestApp;

afterEach(() => test.close());

/** Polls until the response has this status; otherwise the test times out. */
async function until(status: number, ask: () => Promise<{ status: number }>): Promise<void> {
  while ((await ask()).status !== status) await new Promise((resolve) => setTimeout(resolve, 50));
}

describe('The health probes', () => {
  it('report that the process runs and is ready', async () => {
    test = await startApp();
    expect(await test.client.get('/health')).toMatchObject({ status: 200, body: { status: 'ok' } });
    const up = { status: 'up' };
    expect(await test.client.get('/health/ready')).toMatchObject({
      status: 200,
      body: { status: 'ok', details: { database: up, redis: up, files: up } },
    });
  });

  it('report a folder of files that cannot be used, without refusing other requests', async () => {
    test = await startApp();
    const folder = join(test.config.dataDir, 'blobs');
    await rm(folder, { recursive: true, force: true });
    await writeFile(folder, 'not a folder');
    expect(await test.client.get('/health/ready')).toMatchObject({
      status: 200,
      body: { status: 'ok', details: { database: { status: 'up' }, files: { status: 'down' } } },
    });
    await rm(folder);
    expect(await test.client.get('/health/ready')).toMatchObject({
      body: { details: { files: { status: 'up' } } },
    });
  });

  it('do not expose metrics on the public port', async () => {
    test = await startApp();
    expect(await test.client.get('/metrics')).toMatchObject({ status: 404, body: { type: 'NotFound' } });
  });

  it('expose metrics by route, without IDs, on the configured port', async () => {
    test = await startApp({ METRICS_PUBLIC: 'true' });
    const { token } = await makeUser(test);
    const { id } = await makeApplication(test, token);
    await test.client.get(`/applications/${id}`, { token });
    const { status, headers, body } = await test.client.get('/metrics');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(body).toMatch(
      /http_request_duration_seconds_count\{method="GET",route="\/applications\/:applicationId",status="200"\} 1/,
    );
    expect(body).not.toContain(id);
  });
});

describe('A worker', () => {
  it('serves its health probes and nothing else', async () => {
    test = await startApp({ PROCESS_ROLE: 'worker' });
    expect(await test.client.get('/health')).toMatchObject({ status: 200 });
    expect(await test.client.get('/health/ready')).toMatchObject({ status: 200 });
    expect(await test.client.post('/auth/user', ADMIN)).toMatchObject({
      status: 404,
      body: { type: 'NotFound' },
    });
    const { token } = await makeUser(test);
    for (const path of [
      '/me',
      '/applications',
      '/',
      '/docs',
      '/docs/',
      '/openapi.json',
      '/health/x',
      '/metrics',
    ]) {
      expect(await test.client.get(path, { token })).toMatchObject({ status: 404 });
    }
  });
});

describe('A platform without Redis', () => {
  it('keeps everything except jobs working', async () => {
    test = await startApp({}, { redisUrl: 'redis://127.0.0.1:9', retries: false });
    const { client } = test;
    const user = await makeUser(test);
    const { status, body } = await client.post('/auth/user', { email: user.email, password: PASSWORD });
    expect(status).toBe(200);
    const { token } = body;
    const { id } = await makeApplication(test, token);
    expect(await client.get('/applications', { token })).toMatchObject({
      status: 200,
      body: { totalCount: 1 },
    });
    expect(await client.patch(`/applications/${id}`, { name: 'a' }, { token })).toMatchObject({
      status: 200,
    });
    expect(await client.delete(`/applications/${id}`, { token })).toMatchObject({ status: 200 });
    expect(await client.get('/health/ready')).toMatchObject({
      status: 200,
      body: { details: { database: { status: 'up' }, redis: { status: 'down' } } },
    });
  });

  it('refuses a deactivated token immediately', async () => {
    test = await startApp({}, { redisUrl: 'redis://127.0.0.1:9', retries: false });
    const { client } = test;
    const { token } = await makeUser(test);
    const made = await client.post('/me/tokens', { name: uniqueName() }, { token });
    expect(await client.get('/me', { token: made.body.token })).toMatchObject({ status: 200 });
    const path = `/me/tokens/${made.body.id}`;
    expect(await client.patch(path, { status: 'inactive' }, { token })).toMatchObject({ status: 200 });
    expect(await client.get('/me', { token: made.body.token })).toMatchObject({ status: 401 });
  });

  it('announces changes again when Redis returns', async () => {
    const proxy = await Proxy.before(redisForWorker());
    test = await startApp({}, { redisUrl: proxy.url, retries: false });
    const { client } = test;
    const { token } = await makeUser(test);
    expect(await client.get('/me', { token })).toMatchObject({ status: 200 });
    await proxy.refuse();
    expect(await client.get('/me', { token })).toMatchObject({ status: 200 });
    expect(await client.post('/applications', { name: uniqueName() }, { token })).toMatchObject({
      status: 201,
    });
    await proxy.restore();
    await until(200, async () => {
      const { body } = await client.get('/health/ready');
      return { status: body.details.redis.status === 'up' ? 200 : 503 };
    });
    const made = await client.post('/me/tokens', { name: uniqueName() }, { token });
    expect(await client.get('/me', { token: made.body.token })).toMatchObject({ status: 200 });
    const path = `/me/tokens/${made.body.id}`;
    expect(await client.patch(path, { status: 'inactive' }, { token })).toMatchObject({ status: 200 });
    expect(await client.get('/me', { token: made.body.token })).toMatchObject({ status: 401 });
    await test.app.close();
    await proxy.refuse();
  });
});

describe('A platform whose PostgreSQL fails', () => {
  let proxy: Proxy;
  let user: TestUser;
  let application: string;

  beforeEach(async () => {
    proxy = await Proxy.before(await databaseForWorker());
    test = await startApp({}, { databaseUrl: proxy.url, retries: false });
    user = await makeUser(test);
    const { id } = await makeApplication(test, user.token);
    application = `/applications/${id}`;
  });

  afterEach(async () => {
    await proxy.restore();
    await proxy.refuse();
  });

  const requests = (): Promise<{ status: number; body: unknown }[]> => {
    const { client } = test;
    const { token } = user;
    return Promise.all([
      client.get('/applications', { token }),
      client.get(application, { token }),
      client.post('/applications', { name: uniqueName() }, { token }),
      client.patch('/me', { title: 'a' }, { token }),
      client.post('/orgs', { name: uniqueName() }, { token }),
      client.post('/auth/user', { email: user.email, password: PASSWORD }),
      client.get('/auth/ssoDomain?email=a%40example.com'),
    ]);
  };

  const unavailable = { status: 503, body: { type: 'Unavailable', message: expect.any(String) } };

  it('returns 503 while connections are refused, and recovers', async () => {
    expect((await requests()).map(({ status }) => status)).toEqual([200, 200, 201, 200, 201, 200, 204]);
    await proxy.refuse();
    for (const answer of await requests()) expect(answer).toMatchObject(unavailable);
    expect(await test.client.get('/health')).toMatchObject({ status: 200 });
    expect(await test.client.get('/health/ready')).toMatchObject({
      status: 503,
      body: { status: 'error', details: { database: { status: 'down' } } },
    });
    await proxy.restore();
    await until(200, () => test.client.get('/health/ready'));
    expect((await requests()).map(({ status }) => status)).toEqual([200, 200, 201, 200, 201, 200, 204]);
  });

  it('fails at most a few requests with 503 when connections are terminated', async () => {
    await requests();
    await test.dataSource
      .query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()')
      .catch(() => undefined);
    for (const { status } of await requests()) expect([200, 201, 204, 503]).toContain(status);
    await until(200, () => test.client.get('/applications', { token: user.token }));
    expect((await requests()).map(({ status }) => status)).toEqual([200, 200, 201, 200, 201, 200, 204]);
  });

  it('lets no request hang when PostgreSQL does not respond', async () => {
    await requests();
    proxy.stall();
    expect(await test.client.get('/health/ready')).toMatchObject({ status: 503 });
    for (const answer of await requests()) expect(answer).toMatchObject(unavailable);
    await proxy.restore();
    await until(200, () => test.client.get('/applications', { token: user.token }));
  }, 60_000);
});
