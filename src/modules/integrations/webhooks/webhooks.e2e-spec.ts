import { makeFlow, makeVersion } from '../../../../test/make/flows.js';
import {
  makeApplication,
  makeMember,
  makeOrg,
  makeUser,
  tokenOf,
  uniqueName,
} from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';
import { WebhooksRepository } from './webhooks.repository.js';

const { test, user } = suite();
let application: any;

beforeEach(async () => {
  application = await makeApplication(test, user.token);
});

const listPath = (in_ = application) => `/applications/${in_.id}/webhooks`;
const create = (body: object = {}, token = user.token) =>
  test.client.post(listPath(), { name: uniqueName(), ...body }, { token });
const make = async (body?: object) => (await create(body)).body;
const list = (query = '', token = user.token) => test.client.get(listPath() + query, { token });
const get = (id: string, token = user.token) => test.client.get(`${listPath()}/${id}`, { token });
const patch = (id: string, body: unknown, token = user.token) =>
  test.client.patch(`${listPath()}/${id}`, body, { token });
const remove = (id: string, query = '', token = user.token) =>
  test.client.delete(`${listPath()}/${id}${query}`, { token });

describe('POST webhooks', () => {
  it('creates a webhook that accepts requests from any caller by default', async () => {
    const { status, body } = await create({ name: 'Orders' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[\da-f]{24}$/),
      webhookId: body.id,
      applicationId: application.id,
      creationDate: expect.any(String),
      lastUpdated: body.creationDate,
      name: 'Orders',
      token: expect.stringMatching(/^[\w-]{21}$/),
      enabled: true,
      isWebsocket: false,
      waitForReply: false,
      responseCode: 200,
      verificationType: 'none',
      annotateMultipart: false,
    });
    expect((await get(body.id)).body).toEqual(body);
  });

  it('stores all properties', async () => {
    const given = {
      name: 'Orders',
      description: 'Of the shop',
      enabled: false,
      isWebsocket: true,
      waitForReply: true,
      responseCode: 204,
      verificationType: 'facebook',
      verificationCode: 'v3r1fy',
      basicAuthUsername: 'orders',
      castBuffersAs: 'hex',
      annotateMultipart: true,
    };
    const { body } = await create(given);
    expect(body).toMatchObject(given);
    expect((await get(body.id)).body).toEqual(body);
  });

  it('generates a unique token, even if the name is already in use', async () => {
    const [one, other] = [await make({ name: 'Orders' }), await make({ name: 'Orders' })];
    expect(one.token).not.toBe(other.token);
  });

  it.each([
    [{ name: '' }, 'webhook.name must have at least 1 characters'],
    [{ name: undefined }, 'webhook.name is required'],
    [{ responseCode: 99 }, 'webhook.responseCode must be >= 100'],
    [{ responseCode: 600 }, 'webhook.responseCode must be <= 599'],
    [{ responseCode: 200.5 }, 'webhook.responseCode must be an integer'],
    [
      { verificationType: 'github' },
      'webhook.verificationType must be one of facebook, fitbit, none, twilio, alexa',
    ],
    [{ castBuffersAs: 'ascii' }, 'webhook.castBuffersAs must be one of array, binary, utf8, base64, hex'],
    [{ token: 'mine' }, 'webhook.token is not a property of webhook'],
    [{ basicAuthPassword: null }, 'webhook.basicAuthPassword must be a string'],
  ])('rejects %j', async (body, message) => {
    const answer = await create(body);
    expect([answer.status, answer.body.message]).toEqual([400, message]);
    expect((await list()).body.items).toEqual([]);
  });

  it("enforces the owner's limit, also for concurrent requests", async () => {
    await test.dataSource.query(`UPDATE users SET limits = '{"webhook": 2}' WHERE id = $1`, [user.id]);
    await make();
    const answers = await Promise.all([create(), create()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
    const { body } = await create();
    expect(body.message).toBe('The limit of 2 webhooks is reached');
  });
});

describe('The password of a webhook', () => {
  it('is only included in the response to the request that sets it', async () => {
    const { body } = await create({ basicAuthUsername: 'orders', basicAuthPassword: 'Correct-Horse-7' });
    expect(body.basicAuthPassword).toBe('Correct-Horse-7');
    expect((await get(body.id)).body).not.toHaveProperty('basicAuthPassword');
    expect((await list()).body.items[0]).not.toHaveProperty('basicAuthPassword');
    expect((await patch(body.id, { name: 'Other' })).body).not.toHaveProperty('basicAuthPassword');
    const changed = await patch(body.id, { basicAuthPassword: 'Battery-Staple-9' });
    expect(changed.body.basicAuthPassword).toBe('Battery-Staple-9');
    const rows = await test.dataSource.query('SELECT * FROM webhooks WHERE id = $1', [body.id]);
    expect(JSON.stringify(rows)).not.toContain('Battery-Staple-9');
    expect(rows[0].basic_auth_sealed).toMatch(/^v1\./);
  });

  it('is removed by an empty string', async () => {
    const { id } = await make({ basicAuthUsername: 'a', basicAuthPassword: 'b', verificationCode: 'c' });
    const none = { basicAuthUsername: '', basicAuthPassword: '', verificationCode: '' };
    const { body } = await patch(id, none);
    for (const name of Object.keys(none)) expect(body).not.toHaveProperty(name);
    const [row] = await test.dataSource.query('SELECT * FROM webhooks WHERE id = $1', [id]);
    expect([row.basic_auth_sealed, row.basic_auth_username, row.verification_code]).toEqual([
      null,
      null,
      null,
    ]);
  });
});

describe('The verification code of a webhook', () => {
  const codesOf = async (id: string) => {
    const [row] = await test.dataSource.query(
      'SELECT verification_code AS plain, verification_code_sealed AS sealed FROM webhooks WHERE id = $1',
      [id],
    );
    return row as { plain: string | null; sealed: string | null };
  };

  it('is encrypted, and returned to collaborators', async () => {
    const { id } = await make({ verificationCode: 'v3r1fy' });
    expect((await get(id)).body.verificationCode).toBe('v3r1fy');
    expect((await list()).body.items[0].verificationCode).toBe('v3r1fy');
    expect(await codesOf(id)).toEqual({ plain: null, sealed: expect.stringMatching(/^v1\./) });
    expect((await patch(id, { verificationCode: 'other' })).body.verificationCode).toBe('other');
  });

  it('is encrypted by a worker if it is stored in plain text, and remains valid', async () => {
    const [kept, gone] = [await make(), await make()];
    for (const { id } of [kept, gone])
      await test.dataSource.query('UPDATE webhooks SET verification_code = $2 WHERE id = $1', [id, '-old']);
    expect((await get(kept.id)).body.verificationCode).toBe('-old');
    expect((await patch(gone.id, { verificationCode: '' })).body).not.toHaveProperty('verificationCode');
    await test.app.get(WebhooksRepository, { strict: false }).sealCodes(100);
    expect(await codesOf(kept.id)).toEqual({ plain: null, sealed: expect.stringMatching(/^v1\./) });
    expect(await codesOf(gone.id)).toEqual({ plain: null, sealed: null });
    expect((await get(kept.id)).body.verificationCode).toBe('-old');
  });
});

describe('PATCH of a webhook', () => {
  it('keeps omitted properties', async () => {
    const webhook = await make({ description: 'Of the shop', responseCode: 201 });
    const { status, body } = await patch(webhook.id, { enabled: false, waitForReply: true });
    expect(status).toBe(200);
    const { lastUpdated: _, ...rest } = webhook;
    expect(body).toMatchObject({ ...rest, enabled: false, waitForReply: true });
    expect(body.lastUpdated > webhook.lastUpdated).toBe(true);
  });

  it('cannot change `isWebsocket`', async () => {
    const { id } = await make();
    const { status, body } = await patch(id, { isWebsocket: true, name: 'Other' });
    expect([status, body.message]).toEqual([400, 'webhook.isWebsocket cannot be changed after creation']);
    expect((await patch(id, { isWebsocket: false, name: 'Other' })).body.name).toBe('Other');
    expect((await patch(newId(), { isWebsocket: true })).status).toBe(404);
  });
});

describe('GET webhooks', () => {
  it('sorts and filters by name', async () => {
    for (const name of ['b', 'c', 'a']) await make({ name });
    await makeApplication(test, user.token);
    const names = async (query: string) => (await list(query)).body.items.map(({ name }: any) => name);
    expect(await names('')).toEqual(['a', 'b', 'c']);
    expect(await names('?sortField=creationDate&sortDirection=desc')).toEqual(['a', 'c', 'b']);
    expect(await names('?filter=B')).toEqual(['b']);
    expect(await names('?perPage=1&page=1')).toEqual(['b']);
    const { body } = await list('?perPage=1');
    expect(body).toMatchObject({ count: 1, totalCount: 3, applicationId: application.id });
  });

  it.each(['sortField=token', 'filterField=token&filter=a', 'perPage=1001'])(
    'returns 400 with %s',
    async (query) => {
      expect((await list(`?${query}`)).status).toBe(400);
    },
  );
});

describe('DELETE of a webhook', () => {
  const trigger = (key: string) => ({ type: 'webhook', key });
  const flowsLeft = async (): Promise<string[]> => {
    const rows = await test.dataSource.query('SELECT id FROM flows WHERE application_id = $1 ORDER BY id', [
      application.id,
    ]);
    return rows.map(({ id }: { id: string }) => id);
  };

  it('deletes the webhook', async () => {
    const { id } = await make();
    const { status, body } = await remove(id);
    expect([status, body]).toEqual([200, { success: true }]);
    expect((await get(id)).status).toBe(404);
    expect((await remove(id)).status).toBe(404);
  });

  it('keeps its workflows unless their deletion is requested', async () => {
    const [one, other] = [await make(), await make()];
    const developed = await makeFlow(test, user.token, application.id, { triggers: [trigger(one.id)] });
    const running = await makeFlow(test, user.token, application.id);
    const version = await makeVersion(test, user.token, running, { triggers: [trigger(one.id)] });
    await test.client.patch(
      `/applications/${application.id}/flows/${running.id}`,
      { defaultVersionId: version.id },
      { token: user.token },
    );
    const old = await makeFlow(test, user.token, application.id, { triggers: [trigger(other.id)] });
    await makeVersion(test, user.token, old, { triggers: [trigger(one.id)] });
    const unrelated = await makeFlow(test, user.token, application.id, {
      nodes: [{ id: 'reply', type: 'WebhookReplyNode', config: { webhookId: one.id } }],
    });
    const all = [developed.id, running.id, old.id, unrelated.id];
    await remove((await make()).id, '?includeWorkflows=true');
    expect(await flowsLeft()).toEqual(all);
    expect((await remove(one.id, '?includeWorkflows=true')).status).toBe(200);
    expect(await flowsLeft()).toEqual([old.id, unrelated.id]);
    await remove(other.id);
    expect(await flowsLeft()).toEqual([old.id, unrelated.id]);
  });

  it('deletes nothing if the webhook has more workflows than one request can delete', async () => {
    const { id } = await make();
    await test.dataSource.query(
      `INSERT INTO flows (id, application_id, name, flow_class, enabled, triggers, nodes, globals, creation_date, last_updated)
       SELECT substr(md5($1 || n), 1, 24), $1, 'a', 'cloud', true, $2::jsonb, '[]', '[]', now(), now()
       FROM generate_series(1, 1001) n`,
      [application.id, JSON.stringify([trigger(id)])],
    );
    const { status, body } = await remove(id, '?includeWorkflows=true');
    expect([status, body.message]).toEqual([
      400,
      'includeWorkflows is limited to 1000 workflows: delete some of them first',
    ]);
    expect((await get(id)).status).toBe(200);
    expect(await flowsLeft()).toHaveLength(1001);
  });

  it('deletes no workflows if the webhook does not exist', async () => {
    const flow = await makeFlow(test, user.token, application.id, { triggers: [trigger(newId())] });
    const key = flow.triggers[0].key;
    expect((await remove(key, '?includeWorkflows=true')).status).toBe(404);
    expect(await flowsLeft()).toEqual([flow.id]);
  });

  it('creates audit log entries for the webhook and each of its workflows', async () => {
    const { id: orgId } = await makeOrg(test, user.token);
    application = await makeApplication(test, user.token, { orgId });
    const webhook = await make({ name: 'Orders', verificationCode: 'v3r1fy', basicAuthPassword: 'Horse-7' });
    const flow = await makeFlow(test, user.token, application.id, { triggers: [trigger(webhook.id)] });
    await remove(webhook.id, '?includeWorkflows=true');
    const entries = await test.dataSource.query(
      `SELECT * FROM audit_logs WHERE org_id = $1 AND request_resource IN ('webhook', 'webhooks') ORDER BY id`,
      [orgId],
    );
    const told = entries.map((entry: any) => [
      entry.request_action,
      entry.primary_target_id,
      entry.secondary_target_type,
      entry.secondary_target_id,
    ]);
    expect(told).toEqual([
      ['post', application.id, 'Webhook', webhook.id],
      ['delete', application.id, 'Webhook', webhook.id],
      ['delete', application.id, 'Flow', flow.id],
    ]);
    expect(entries[0].request_body).toEqual({
      name: 'Orders',
      verificationCode: '[redacted]',
      basicAuthPassword: '[redacted]',
    });
    expect(JSON.stringify(entries)).not.toContain(webhook.token);
  });
});

describe('Webhooks of an organization', () => {
  let orgId: string;
  beforeEach(async () => {
    orgId = (await makeOrg(test, user.token)).id;
    application = await makeApplication(test, user.token, { orgId });
  });

  it('can be read with `view` and changed with `collaborate`', async () => {
    const viewer = await makeMember(test, orgId, 'view');
    const collaborator = await makeMember(test, orgId, 'collaborate');
    const { body } = await create({}, collaborator.token);
    for (const { status } of [await list('', viewer.token), await get(body.id, viewer.token)])
      expect(status).toBe(200);
    expect((await create({}, viewer.token)).status).toBe(403);
    expect((await patch(body.id, { name: 'x' }, viewer.token)).status).toBe(403);
    expect((await remove(body.id, '', viewer.token)).status).toBe(403);
    expect((await patch(body.id, { name: 'x' }, collaborator.token)).status).toBe(200);
    expect((await remove(body.id, '', collaborator.token)).status).toBe(200);
  });

  it('are not accessible to other users, or with tokens without a matching scope', async () => {
    const { id } = await make();
    const stranger = await makeUser(test);
    for (const answer of [await list('', stranger.token), await get(id, stranger.token)])
      expect(answer.status).toBe(404);
    const token = tokenOf(test, user.id, ['webhooks.get']);
    expect((await list('', token)).status).toBe(200);
    expect((await get(id, token)).status).toBe(403);
    expect((await test.client.get(listPath())).status).toBe(401);
  });

  it('are counted in summaries', async () => {
    await make();
    await make();
    for (const path of [`/applications/${application.id}`, `/orgs/${orgId}`]) {
      const { body } = await test.client.get(`${path}?summaryInclude=webhookCount`, { token: user.token });
      expect(body.summary).toEqual({ webhookCount: 2 });
    }
  });
});

it('returns 404 for a webhook of another application', async () => {
  const { id } = await make();
  application = await makeApplication(test, user.token);
  for (const { status, body } of [await get(id), await patch(id, { name: 'x' }), await remove(id)])
    expect([status, body.message]).toEqual([404, 'Webhook was not found']);
});
