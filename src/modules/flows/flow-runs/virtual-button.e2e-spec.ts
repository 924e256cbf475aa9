import { makeFlow, makeVersion } from '../../../../test/make/flows.js';
import { makeApplication, makeMember, makeOrg } from '../../../../test/make/make.js';
import { requestedRuns } from '../../../../test/make/runs.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';

const { test, user } = suite({}, { retries: false });
let application: any;
let flow: any;

const button = (key: string) => ({ type: 'virtualButton', key });

beforeEach(async () => {
  application = await makeApplication(test, user.token);
  flow = await makeFlow(test, user.token, application.id, { triggers: [button('go'), button('stop')] });
});

const pathOf = (in_ = application) => `/applications/${in_.id}/flows/${flow.id}`;
const press = (body: unknown, token = user.token) =>
  test.client.post(`${pathOf()}/virtualButton`, body, { token });
const change = (path: string, body: unknown) => test.client.patch(path, body, { token: user.token });
const runs = () => requestedRuns(test, { flowId: flow.id });
const versionsRun = async () => (await runs()).map((run) => run.flowVersionId);

describe('POST virtualButton of a workflow', () => {
  it('enqueues a run with the payload', async () => {
    const deviceId = newId();
    const deploymentId = newId();
    const payload = { temp: 99, list: [null] };
    const { status, body } = await press({
      key: 'go',
      payload,
      meta: { page: 1 },
      deviceId: deviceId.toUpperCase(),
      deploymentId,
    });
    expect([status, body]).toEqual([200, { success: true }]);
    expect(await runs()).toEqual([
      expect.objectContaining({
        applicationId: application.id,
        flowVersionId: null,
        deviceId,
        trigger: {
          type: 'virtualButton',
          key: 'go',
          data: payload,
          sourceId: user.id,
          sourceType: 'user',
          meta: { page: 1 },
          deploymentId,
        },
      }),
    ]);
  });

  it.each([[{}], [[1]], ['text'], [0], [false], [null]])('accepts the payload %j', async (payload) => {
    expect((await press({ key: 'go', payload })).status).toBe(200);
    expect((await runs())[0]!.trigger.data).toEqual(payload);
  });

  it.each([
    [undefined, {}],
    ['', {}],
    ['{"temp": 7}', { temp: 7 }],
    ['{"name": "\\u0000"}', {}],
  ])('passes the payload of the button, %j, if the press has none', async (payload, data) => {
    await change(pathOf(), { triggers: [{ ...button('go'), meta: { payload } }] });
    expect((await press({ key: 'go' })).status).toBe(200);
    expect((await runs())[0]!.trigger.data).toEqual(data);
  });

  it('runs the default version unless another is requested', async () => {
    const triggers = [button('go'), button('new')];
    const pinned = await makeVersion(test, user.token, flow, { version: 'v1', triggers });
    const other = await makeVersion(test, user.token, flow, { version: 'v2', triggers });
    await change(pathOf(), { defaultVersionId: pinned.id });
    await press({ key: 'new' });
    await press({ key: 'new', flowVersion: 'v2' });
    await press({ key: 'stop', flowVersion: 'develop' });
    await press({ key: 'go', flowVersion: 'default' });
    expect(await versionsRun()).toEqual([pinned.id, other.id, null, pinned.id]);
  });

  it('requires a button that exists in the version', async () => {
    const pinned = await makeVersion(test, user.token, flow, { version: 'v1', triggers: [button('new')] });
    await change(pathOf(), { defaultVersionId: pinned.id });
    for (const body of [
      { key: 'go' },
      { key: 'new', flowVersion: 'develop' },
      { key: 'none' },
      { key: '' },
    ]) {
      const answer = await press(body);
      expect(answer.status).toBe(400);
      expect(answer.body.message).toBe('virtualButtonPress.key is not a virtual button of the version');
    }
    const missing = await press({ key: 'new', flowVersion: 'v2' });
    expect([missing.status, missing.body.message]).toEqual([
      400,
      'virtualButtonPress.flowVersion is not a version of the workflow',
    ]);
    expect(await runs()).toEqual([]);
  });

  it('does nothing if the workflow or the version is disabled', async () => {
    const version = await makeVersion(test, user.token, flow, {
      version: 'v1',
      enabled: false,
      triggers: [button('go')],
    });
    expect((await press({ key: 'go', flowVersion: 'v1' })).body).toEqual({ success: true });
    expect(await runs()).toEqual([]);
    await change(`${pathOf()}/versions/${version.id}`, { enabled: true });
    await change(pathOf(), { enabled: false });
    for (const flowVersion of ['v1', 'develop'])
      expect((await press({ key: 'go', flowVersion })).body).toEqual({ success: true });
    expect(await runs()).toEqual([]);
  });

  it('limits a button to 100 presses in ten seconds', async () => {
    // The presses can span two rate limit windows, each of which allows 100.
    const answers = await Promise.all(Array.from({ length: 201 }, () => press({ key: 'go' })));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(100);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.body.type).toBe('TooManyRequests');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await runs()).length).toBe(answers.filter(({ status }) => status === 200).length);
    expect((await press({ key: 'stop' })).status).toBe(200);
  });

  it.each([
    [{}, 'virtualButtonPress.key is required'],
    [{ key: 'go', deviceId: 'x' }, 'virtualButtonPress.deviceId must match the pattern ^[A-Fa-f\\d]{24}$'],
    [{ key: 'go', more: 1 }, 'virtualButtonPress.more is not a property of virtualButtonPress'],
  ])('rejects %j', async (body, message) => {
    const answer = await press(body);
    expect([answer.status, answer.body.message]).toEqual([400, message]);
  });

  it('returns 404 for a workflow of another application', async () => {
    const other = await makeApplication(test, user.token);
    const path = `${pathOf(other)}/virtualButton`;
    expect((await test.client.post(path, { key: 'go' }, { token: user.token })).status).toBe(404);
  });

  it('requires `collaborate` and appears in the audit log', async () => {
    const { id: orgId } = await makeOrg(test, user.token);
    application = await makeApplication(test, user.token, { orgId });
    flow = await makeFlow(test, user.token, application.id, { triggers: [button('go')] });
    const viewer = await makeMember(test, orgId, 'view');
    const collaborator = await makeMember(test, orgId, 'collaborate');
    expect((await press({ key: 'go' }, viewer.token)).status).toBe(403);
    expect((await press({ key: 'go' }, collaborator.token)).status).toBe(200);
    const entries = await test.dataSource.query(
      `SELECT * FROM audit_logs WHERE org_id = $1 AND request_action = 'pressVirtualButton'`,
      [orgId],
    );
    expect(entries).toEqual([
      expect.objectContaining({ actor_id: collaborator.id, secondary_target_id: flow.id }),
    ]);
  });
});
