import { makeFlow, makeVersion, whileLocked } from '../../../../../test/make/flows.js';
import { makeApplication, makeOrg } from '../../../../../test/make/make.js';
import { BEHIND_PROXY } from '../../../../../test/make/sign-in.js';
import { suite } from '../../../../../test/setup/suite.js';
import { waitUntil } from '../../../../../test/setup/until.js';
import { answerOf, ListenedWebhook } from '../../../../../test/make/webhooks.js';
import { AccessCache } from '../../../../platform/access/access-cache.js';

const THANKS = { success: true };

const { test } = suite(BEHIND_PROXY, { retries: false });
let hook: ListenedWebhook;

beforeEach(async () => {
  hook = await ListenedWebhook.make(test);
});

describe('A request to a webhook', () => {
  it('enqueues a run of the workflow that listens to the webhook', async () => {
    const headers = { cookie: 'a=b', authorization: 'Bearer x', 'X-Shop': 'North' };
    expect(await answerOf(await hook.postJson({ order: 7 }, headers))).toEqual([200, THANKS]);
    expect(await hook.runs()).toEqual([
      expect.objectContaining({ flowId: hook.flow.id, flowVersionId: null }),
    ]);
    const { type, key, sourceId, data } = (await hook.runs())[0]!.trigger;
    expect([type, key, sourceId]).toEqual(['webhook', hook.webhook.id, hook.webhook.id]);
    expect(data).toEqual({
      body: { order: 7 },
      headers: expect.objectContaining({ 'x-shop': 'North', 'content-type': 'application/json' }),
      method: 'POST',
      path: '/',
      query: {},
    });
    expect(Object.keys(data.headers)).not.toEqual(expect.arrayContaining(['cookie']));
    expect(JSON.stringify(data)).not.toContain('Bearer');
  });

  it('does not wait for a transaction that deletes a workflow', async () => {
    await whileLocked(test, hook.flow, async () => {
      expect(await answerOf(await hook.postJson({ order: 7 }))).toEqual([200, THANKS]);
    });
    expect(await hook.runs()).toHaveLength(1);
  });

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PURGE', 'PROPFIND'])(
    'can use the method %s',
    async (method) => {
      expect(await answerOf(await hook.send('/orders', { method }))).toEqual([200, THANKS]);
      expect(await hook.received()).toMatchObject({ method, path: '/orders', body: null });
    },
  );

  it('can use the method HEAD', async () => {
    const response = await hook.send('', { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(await hook.received()).toMatchObject({ method: 'HEAD' });
  });

  it.each([
    ['/', '/', {}],
    ['/a', '/a', {}],
    ['/a/b%20c/?x=1&y[]=2&y[]=3', '/a/b%20c/', { x: '1', y: ['2', '3'] }],
    ['?a[b]=c&d=%00', '/', { a: { b: 'c' }, d: '\0' }],
  ])('passes the path and query of %s to the workflow', async (path, told, query) => {
    expect((await hook.send(path)).status).toBe(200);
    expect(await hook.received()).toMatchObject({ path: told, query });
  });

  it('enqueues one run per workflow that listens', async () => {
    const second = await makeFlow(test, hook.user.token, hook.application.id, { triggers: hook.triggers });
    await makeFlow(test, hook.user.token, hook.application.id, { triggers: hook.triggers, enabled: false });
    await makeFlow(test, hook.user.token, hook.application.id, {
      triggers: [{ type: 'timer', config: { seconds: 5 } }],
    });
    await makeFlow(test, hook.user.token, hook.application.id, {
      nodes: [{ id: 'reply', type: 'WebhookReplyNode', config: { webhookId: hook.webhook.id } }],
    });
    await hook.send();
    expect((await hook.runs()).map((run) => run.flowId).sort()).toEqual([hook.flow.id, second.id].sort());
  });
});

describe('The payload of a webhook', () => {
  const payloads = () =>
    test.dataSource.query('SELECT id FROM flow_run_payloads WHERE application_id = $1', [
      hook.application.id,
    ]);

  it('is stored once for all workflows if it is large, and otherwise with each run', async () => {
    for (let flow = 0; flow < 3; flow++)
      await makeFlow(test, hook.user.token, hook.application.id, { triggers: hook.triggers });
    await hook.postJson({ order: 7 });
    expect(await payloads()).toEqual([]);
    const order = 'x'.repeat(2_000);
    await hook.postJson({ order });
    const [{ id }, ...others] = await payloads();
    expect(others).toEqual([]);
    const runs = await hook.runs();
    expect(runs.map((run) => run.payloadId)).toEqual([...Array(4).fill(null), ...Array(4).fill(id)]);
    expect(runs.map(({ trigger }) => trigger.data.body.order)).toEqual([
      ...Array(4).fill(7),
      ...Array(4).fill(order),
    ]);
  });

  it('is not stored if no workflow listens', async () => {
    await hook.patch(`/flows/${hook.flow.id}`, { enabled: false });
    expect((await hook.postJson({ order: 7 })).status).toBe(200);
    expect(await payloads()).toEqual([]);
  });

  it('is rejected if it becomes too large when encoded', async () => {
    await hook.change({ castBuffersAs: 'array' });
    const octets = { 'content-type': 'application/octet-stream' };
    expect((await hook.post(Buffer.alloc(256 * 1024, 9), octets)).status).toBe(200);
    const [status, body] = await answerOf(await hook.post(Buffer.alloc(256 * 1024, 255), octets));
    expect([status, body.type]).toEqual([413, 'PayloadTooLarge']);
    expect(await hook.runs()).toHaveLength(1);
  });
});

describe('The version that a webhook runs', () => {
  const pathOf = () => `/flows/${hook.flow.id}`;
  const versionsFor = async (version?: string) => {
    await hook.forgetRuns();
    expect(
      (await hook.send('', version === undefined ? {} : { headers: { 'X-Flow-Version': version } })).status,
    ).toBe(200);
    return (await hook.runs()).map((run) => run.flowVersionId);
  };

  it('is the default version, or the one in the request', async () => {
    const first = await makeVersion(test, hook.user.token, hook.flow, {
      version: 'v1',
      triggers: hook.triggers,
    });
    const second = await makeVersion(test, hook.user.token, hook.flow, {
      version: 'v 2',
      triggers: hook.triggers,
    });
    expect(await versionsFor()).toEqual([null]);
    await hook.patch(pathOf(), { defaultVersionId: first.id });
    expect(await versionsFor()).toEqual([first.id]);
    expect(await versionsFor('default')).toEqual([first.id]);
    expect(await versionsFor('develop')).toEqual([null]);
    expect(await versionsFor('v 2')).toEqual([second.id]);
    expect(await versionsFor('v3')).toEqual([]);
    expect(await versionsFor('')).toEqual([first.id]);
  });

  it('must contain the trigger', async () => {
    const without = await makeVersion(test, hook.user.token, hook.flow, { version: 'v1' });
    await hook.patch(pathOf(), { defaultVersionId: without.id });
    expect(await versionsFor()).toEqual([]);
    expect(await versionsFor('v1')).toEqual([]);
    expect(await versionsFor('develop')).toEqual([null]);
    await hook.patch(pathOf(), { triggers: [] });
    expect(await versionsFor('develop')).toEqual([]);
  });

  it('must be enabled', async () => {
    const version = await makeVersion(test, hook.user.token, hook.flow, {
      version: 'v1',
      triggers: hook.triggers,
    });
    await hook.patch(pathOf(), { defaultVersionId: version.id });
    await hook.patch(`${pathOf()}/versions/${version.id}`, { enabled: false });
    expect(await versionsFor()).toEqual([]);
    expect(await versionsFor('v1')).toEqual([]);
    await hook.patch(`${pathOf()}/versions/${version.id}`, { enabled: true });
    await hook.patch(pathOf(), { enabled: false });
    for (const name of [undefined, 'v1', 'develop']) expect(await versionsFor(name)).toEqual([]);
  });
});

describe('A webhook URL', () => {
  it.each([
    ['an unknown token', () => 'V1StGXR8_Z5jdHi6B-myT'],
    ['its id', () => hook.webhook.id],
    ['something else', () => "'%20OR%201=1"],
    ['a NUL character', () => '%00'],
  ])('returns 404 with %s', async (_, token) => {
    const response = await fetch(`${test.client.url}/webhooks/${token()}`, { method: 'POST', body: 'x' });
    expect(await answerOf(response)).toEqual([404, { type: 'NotFound', message: 'Webhook was not found' }]);
  });

  it('returns 404 after the webhook or its application is deleted', async () => {
    await test.client.delete(`/applications/${hook.application.id}/webhooks/${hook.webhook.id}`, {
      token: hook.user.token,
    });
    expect((await hook.send()).status).toBe(404);
    hook = await ListenedWebhook.make(test, {}, hook);
    expect((await hook.send()).status).toBe(200);
    await test.client.delete(`/applications/${hook.application.id}`, { token: hook.user.token });
    expect((await hook.send()).status).toBe(404);
  });

  it('returns 404 in a disabled organization', async () => {
    const { id: orgId } = await makeOrg(test, hook.user.token);
    const application = await makeApplication(test, hook.user.token, { orgId });
    hook = await ListenedWebhook.make(test, {}, { user: hook.user, application });
    expect((await hook.send()).status).toBe(200);
    const disable = async (at: string) => {
      await test.dataSource.query(`UPDATE orgs SET disabled_at = ${at} WHERE id = $1`, [orgId]);
      await test.app.get(AccessCache).evict(orgId);
    };
    await disable(`now() + interval '1 hour'`);
    expect((await hook.send()).status).toBe(200);
    await disable(`now() - interval '1 ms'`);
    expect((await hook.send()).status).toBe(404);
  });

  it('returns 404 if the owner is deleted', async () => {
    await test.dataSource.query('UPDATE users SET permanent_deletion = now() WHERE id = $1', [hook.user.id]);
    expect((await hook.send()).status).toBe(404);
  });

  it('does not list other webhooks', async () => {
    for (const path of ['/webhooks', '/webhooks/'])
      expect((await fetch(test.client.url + path)).status).toBe(404);
  });
});

it('runs nothing while the webhook is disabled', async () => {
  await hook.change({ enabled: false, responseCode: 201, basicAuthUsername: 'ada' });
  expect(await answerOf(await hook.postJson({}))).toEqual([200, THANKS]);
  expect(await hook.runs()).toEqual([]);
});

it('rejects HTTP requests to a WebSocket webhook', async () => {
  hook = await ListenedWebhook.make(test, { isWebsocket: true });
  expect((await hook.send()).status).toBe(400);
  expect(await hook.runs()).toEqual([]);
});

it('returns the configured status code', async () => {
  await hook.change({ responseCode: 202 });
  expect(await answerOf(await hook.send())).toEqual([202, THANKS]);
  await hook.change({ responseCode: 204 });
  const empty = await hook.send();
  expect([empty.status, await empty.text()]).toEqual([204, '']);
  await hook.change({ responseCode: 100 });
  expect((await hook.send()).status).toBe(200);
});

it('allows 100 requests in ten seconds', async () => {
  await hook.change({ enabled: false });
  // The requests can span two rate limit windows, each of which allows 100.
  const answers = await Promise.all(Array.from({ length: 201 }, () => hook.send()));
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(100);
  const refused = answers.find(({ status }) => status === 429)!;
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  const other = await ListenedWebhook.make(test, {}, hook);
  expect((await other.send()).status).toBe(200);
});

it('has a separate rate limit for authenticated callers', async () => {
  await hook.change({ basicAuthUsername: 'ada' });
  const from = (address: string, user: string) =>
    hook.send('', {
      headers: {
        'x-forwarded-for': address,
        authorization: `Basic ${Buffer.from(`${user}:`).toString('base64')}`,
      },
    });
  const strangers = await Promise.all(Array.from({ length: 201 }, () => from('203.0.113.7', 'eve')));
  const statuses = strangers.map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect((await from('203.0.113.8', 'ada')).status).toBe(200);
});

it('does not log the token', async () => {
  for (const path of ['', '/orders?x=1']) await hook.send(path);
  for (const path of ['//webhooks/', '/Webhooks//', '/api/webhooks/'])
    await fetch(`${test.client.url}${path}${hook.webhook.token}`);
  const log = () => test.log.join('');
  await waitUntil(async () => log().includes('"path":"/api/webhooks/'));
  expect(log()).toContain('"path":"/webhooks/{token}/orders"');
  expect(log()).not.toContain(hook.webhook.token);
});
