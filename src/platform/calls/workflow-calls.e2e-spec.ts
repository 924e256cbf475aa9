import { makeApplication, makeOrg } from '../../../test/make/make.js';
import { makeFlow } from '../../../test/make/flows.js';
import { suite } from '../../../test/setup/suite.js';
import { TokenSigner } from '../access/token-signer.js';
import { AccessCache } from '../access/access-cache.js';
import { Metrics } from '../probes/metrics.js';
import { WorkflowCalls } from './workflow-calls.js';

const { test, user, application } = suite();
let calls: WorkflowCalls;
let flow: { id: string; name: string };

beforeAll(() => {
  calls = test.app.get(WorkflowCalls);
});

beforeEach(async () => {
  flow = await makeFlow(test, user.token, application.id);
});

const call = (operationId: string, parameters: object = {}, body?: unknown, applicationId = application.id) =>
  calls.call(
    { id: 'run', applicationId, flowId: flow.id },
    operationId,
    parameters as never,
    body,
  ) as Promise<{
    result?: any;
    error?: any;
  }>;

describe('A call of a workflow', () => {
  it('returns what a request would, and changes what the operation changes', async () => {
    const { result: device } = await call(
      'devices.post',
      {},
      { name: 'Pump', tags: [{ key: 'a', value: 'b' }] },
    );
    expect(device).toMatchObject({ name: 'Pump', applicationId: application.id });
    const path = `/applications/${application.id}/devices/${device.id}`;
    const { body } = await test.client.get(path, { token: user.token });
    expect((await call('device.get', { deviceId: device.id })).result).toEqual(body);
    expect(await call('device.delete', { deviceId: device.id })).toEqual({ result: { success: true } });
    expect(await call('device.get', { deviceId: device.id })).toEqual({
      error: { type: 'NotFound', message: 'Device was not found', statusCode: 404 },
    });
  });

  it('reads parameters of the query like a request', async () => {
    for (const name of ['Pump', 'Fan', 'Tap']) await call('devices.post', {}, { name });
    const names = async (query: object) =>
      (await call('devices.get', query)).result.items.map(({ name }: { name: string }) => name);
    expect(await names({ perPage: 2, sortField: 'name', sortDirection: 'asc' })).toEqual(['Fan', 'Pump']);
    expect(await names({ query: { name: 'Tap' }, filter: undefined })).toEqual(['Tap']);
    expect(await names({ query: '{"name":"Tap"}' })).toEqual(['Tap']);
    expect(await names({ tagFilter: [{ key: 'none' }] })).toEqual([]);
    expect((await call('devices.get', { perPage: 'x' })).error).toMatchObject({ statusCode: 400 });
  });

  it('returns texts of lists in any script, also of lists that are sent in pieces', async () => {
    const text = 'Pümpe "中" \\ 😀';
    const description = text.repeat(1_500);
    for (let n = 0; n < 60; n++) await call('devices.post', {}, { name: `${text} ${n}`, description });
    const { items } = (await call('devices.get', { perPage: 1000 })).result;
    expect(items).toHaveLength(60);
    expect(items[0]).toMatchObject({ name: `${text} 0`, description });
    const { body } = await test.client.get(`/applications/${application.id}/devices?perPage=1000`, {
      token: user.token,
    });
    expect(body.items).toEqual(items);
    expect((await call('devices.get', { perPage: 1 })).result.items[0].name).toBe(`${text} 0`);
  });

  it('takes the body from the parameter with its name', async () => {
    const { result } = await call('experienceGroups.post', { experienceGroup: { name: 'Site' } });
    expect(result).toMatchObject({ name: 'Site' });
  });

  it('validates bodies like requests', async () => {
    const error = (body: unknown) => call('devices.post', {}, body).then((answer) => answer.error);
    expect(await error({})).toEqual({
      type: 'Validation',
      message: 'device.name is required',
      statusCode: 400,
    });
    expect(await error({ name: 'a', other: 1 })).toMatchObject({ statusCode: 400 });
    expect(await error({ name: 'a\0' })).toMatchObject({ statusCode: 400 });
    expect(await error(JSON.parse('{"name":"a","__proto__":{}}'))).toMatchObject({ statusCode: 400 });
    expect(await error({ name: 'a', description: 'x'.repeat(2 ** 20) })).toMatchObject({ statusCode: 413 });
    expect(await error(undefined)).toMatchObject({ statusCode: 400 });
  });

  it('finds nothing with parameters that would be another path', async () => {
    const { result: device } = await call('devices.post', {}, { name: 'Pump' });
    for (const deviceId of [
      '..',
      '.',
      '../..',
      `${device.id}/data`,
      '%2e%2e',
      `${device.id}?x`,
      '',
      null,
      {},
    ])
      expect((await call('device.delete', { deviceId })).error).toMatchObject({ statusCode: 400 });
    expect((await call('device.get', { deviceId: device.id })).error).toBeUndefined();
  });

  it('acts as the workflow', async () => {
    const { result: event } = await call('events.post', {}, { level: 'info', subject: 'Full' });
    expect(event).toMatchObject({ sourceType: 'flow', sourceId: flow.id, sourceName: flow.name });
    const { result: made } = await call('flows.post', {}, { name: 'Made' });
    expect(made).toMatchObject({ createdByType: 'flow', createdById: flow.id });
    const { result: counts } = await call('application.payloadCounts');
    expect(counts.event).toEqual({ 'flow.flow': 1 });
  });

  it('is in the audit log of the organization', async () => {
    const org = await makeOrg(test, user.token);
    const { id } = await makeApplication(test, user.token, { orgId: org.id });
    flow = await makeFlow(test, user.token, id);
    await call('devices.post', {}, { name: 'Pump' }, id);
    const { body } = await test.client.get(`/orgs/${org.id}/audit-logs?perPage=1`, { token: user.token });
    expect(body.items).toMatchObject([
      {
        actorType: 'Flow',
        actorId: flow.id,
        actorName: flow.name,
        requestResource: 'devices',
        requestAction: 'post',
      },
    ]);
  });

  it('has no line in the log of requests and counts for no limit', async () => {
    const lines = test.log.length;
    for (let i = 0; i < 5; i++) await call('devices.get');
    expect(test.log.slice(lines).join('')).toBe('');
    const metrics = await test.app.get(Metrics).registry.metrics();
    expect(metrics).toMatch(
      /workflow_call_duration_seconds_count\{operation="devices.get",status="200"\} \d/,
    );
    await call('no.operation');
    expect(await test.app.get(Metrics).registry.metrics()).not.toContain('no.operation');
  });

  it('ends with the application', async () => {
    await call('devices.get');
    await test.client.delete(`/applications/${application.id}`, { token: user.token });
    expect((await call('devices.get')).error).toMatchObject({ statusCode: 404 });
  });
});

describe('A workflow', () => {
  it('can call only operations on resources of its application', () => {
    const ids = [...calls.callable.keys()];
    const refused =
      /^(me|orgs?|instances?|instance[A-Z]\w*|users?|applications|applicationApiTokens?|auth|\w*[iI]nvites?)\./;
    expect(ids.filter((id) => refused.test(id))).toEqual([]);
    expect(ids).toEqual(expect.arrayContaining(['application.get', 'device.get', 'dataTableRows.post']));
  });

  it.each([
    ['application.delete', {}],
    ['application.patch', {}],
    ['application.clone', {}],
    ['application.export', {}],
    ['application.import', {}],
    ['applicationApiTokens.post', { name: 'x', scope: ['all.Application'] }],
    ['applicationApiTokens.get', {}],
    ['applications.get', {}],
    ['me.get', {}],
    ['orgs.get', {}],
    ['instances.get', {}],
    ['file.upload', {}],
    ['device.stateStream', {}],
    ['constructor', {}],
    ['__proto__', {}],
  ])('cannot call %s', async (id, body) => {
    expect((await call(id, {}, body)).error).toMatchObject({ type: 'Forbidden', statusCode: 403 });
  });

  it('cannot act in another application, also with the ID of its workflow', async () => {
    const other = await makeApplication(test, user.token);
    const { result: device } = await call('devices.post', {}, { name: 'Pump' });
    expect((await call('devices.get', { applicationId: other.id })).result.items).toMatchObject([
      { id: device.id },
    ]);
    expect((await call('devices.get', {}, undefined, other.id)).error).toMatchObject({ statusCode: 404 });
  });
});

describe('A call of a workflow with a token', () => {
  const callAs = (token: string, applicationId: string, operationId = 'devices.get', body?: unknown) =>
    calls.call({ id: 'run', applicationId, flowId: flow.id, token }, operationId, {}, body) as Promise<{
      result?: any;
      error?: any;
    }>;
  const tokenOf = async (scope: string[]) =>
    (await test.client.post(`/applications/${place.id}/tokens`, { name: 't', scope }, { token: user.token }))
      .body.token as string;
  let place: { id: string };

  beforeEach(async () => {
    place = await makeApplication(test, user.token);
  });

  it('has the rights of the token alone', async () => {
    const token = await tokenOf(['devices.get', 'devices.post']);
    const { result: device } = await callAs(token, place.id, 'devices.post', { name: 'Pump' });
    expect(device).toMatchObject({ applicationId: place.id });
    expect((await callAs(token, place.id)).result.items).toMatchObject([{ id: device.id }]);
    expect((await callAs(token, place.id, 'events.get')).error).toMatchObject({ statusCode: 403 });
    expect((await callAs(token, application.id)).error).toMatchObject({ statusCode: 404 });
  });

  it('is refused without a valid one', async () => {
    for (const token of ['', 'x', user.token.slice(1), `${await tokenOf(['devices.get'])}x`])
      expect((await callAs(token, application.id)).error).toMatchObject({ statusCode: 401 });
  });

  it('cannot call other operations than workflows can', async () => {
    const token = await tokenOf(['all.Application']);
    expect((await callAs(token, place.id, 'applicationApiTokens.get')).error).toMatchObject({
      statusCode: 403,
    });
  });
});

describe('A request over HTTP', () => {
  it('is never one of a workflow, whatever its token and headers', async () => {
    await call('devices.get');
    const signer = test.app.get(TokenSigner);
    const claims = { sub: flow.id, ownerType: 'flow', scope: ['all.Application'] } as never;
    const tokens = [
      flow.id,
      `flow ${flow.id}`,
      signer.sign(claims, {}),
      signer.sign({ ...(claims as object), jti: flow.id } as never, {}),
    ];
    for (const token of tokens) {
      const answer = await test.client.get(`/applications/${application.id}/devices`, { token });
      expect(answer.status).toBe(401);
    }
    const headers = { 'X-Flow-Id': flow.id, 'X-Request-Id': 'run', 'X-Application-Id': application.id };
    expect((await test.client.get(`/applications/${application.id}/devices`, { headers })).status).toBe(401);
    expect(test.app.get(AccessCache).get(flow.id)).toBeUndefined();
  });
});
