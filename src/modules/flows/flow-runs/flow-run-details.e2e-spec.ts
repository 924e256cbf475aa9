import { makeFlow, makeTracedRun, makeVersion, PRESSED } from '../../../../test/make/flows.js';
import { makeApplication, makeMember, makeOrg, tokenOf } from '../../../../test/make/make.js';
import { requestedRuns } from '../../../../test/make/runs.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';
import { FlowRunPayload } from './flow-run-payload.entity.js';

const { test, user, application } = suite({}, { retries: false });
const END = Date.parse('2026-06-13T04:00:00.000Z');
let flow: any;

beforeEach(async () => {
  flow = await makeFlow(test, user.token, application.id);
});

const pathOf = (of = flow) => `/applications/${of.applicationId}/flows/${of.id}/runs`;
const get = (path: string, token = user.token) => test.client.get(path, { token });
const replay = (id: string, token = user.token, of = flow) =>
  test.client.post(`${pathOf(of)}/${id}/replay`, undefined, { token });
const runAt = (time: number, more: object = {}) =>
  makeTracedRun(test, flow, { requestedAt: new Date(time), ...more });

describe('GET runs of a workflow', () => {
  it('lists runs, newest first, by page and by failure', async () => {
    const errors = [{ time: new Date(END).toISOString(), error: { name: 'Bad', message: 'no' } }];
    const ids = [
      await runAt(END - 2, { pathsFailed: 1, errors }),
      await runAt(END - 1, { deviceId: newId() }),
      await runAt(END),
    ];
    await makeTracedRun(test, await makeFlow(test, user.token, application.id));
    const idsOf = async (query = '') => {
      const { status, body } = await get(`${pathOf()}${query}`);
      expect(status).toBe(200);
      return body.items.map(({ flowRunId }: any) => flowRunId);
    };
    expect(await idsOf()).toEqual(ids.toReversed());
    expect(await idsOf('?limit=1')).toEqual([ids[2]]);
    expect(await idsOf(`?before=${END}`)).toEqual([ids[1], ids[0]]);
    expect(await idsOf('?failed=true')).toEqual([ids[0]]);
    const { body } = await get(`${pathOf()}?failed=true`);
    expect(body.items).toEqual([
      {
        flowRunId: ids[0],
        flowId: flow.id,
        flowVersionId: 'develop',
        requestedAt: new Date(END - 2).toISOString(),
        finishedAt: expect.any(String),
        pathsCompleted: 0,
        pathsFailed: 1,
        wallTime: 0,
        errors,
        hasTrace: true,
      },
    ]);
  });

  it('returns 400 for limits out of range', async () => {
    for (const query of ['limit=0', 'limit=1001', 'before=x', 'failed=maybe'])
      expect((await get(`${pathOf()}?${query}`)).status).toBe(400);
  });
});

describe('GET a run', () => {
  it('returns the trigger with its payload, until it has expired', async () => {
    const id = await runAt(END);
    const { status, body } = await get(`${pathOf()}/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ flowRunId: id, trigger: PRESSED });
    await test.dataSource.manager.delete(FlowRunPayload, { applicationId: application.id });
    expect((await get(`${pathOf()}/${id}`)).body).not.toHaveProperty('trigger');
  });
});

describe('GET the trace of a run', () => {
  it('returns the executions of nodes', async () => {
    const id = await runAt(END);
    const { status, body } = await get(`${pathOf()}/${id}/trace`);
    expect(status).toBe(200);
    const log = { nodeId: 'log', nodeType: 'DebugNode' };
    expect(body).toEqual({
      flowRunId: id,
      reason: 'failed',
      executionCount: 3,
      executions: [
        {
          nodeId: 'hot',
          nodeType: 'ConditionalNode',
          nodeLabel: 'Hot?',
          start: 0.5,
          duration: 0.25,
          outcome: 'continued',
          output: 1,
        },
        { ...log, start: 1, duration: 2, outcome: 'ended' },
        { ...log, start: 3, duration: 4, outcome: 'failed' },
      ],
    });
    await test.dataSource.query('DELETE FROM flow_run_traces WHERE id = $1', [id]);
    expect((await get(`${pathOf()}/${id}/trace`)).body.message).toBe('Flow run trace was not found');
  });
});

describe('POST replay of a run', () => {
  it('requests a run with the trigger, the time, the device and the version', async () => {
    const version = await makeVersion(test, user.token, flow);
    const deviceId = newId();
    const id = await runAt(END, { deviceId, flowVersionId: version.id });
    const { status, body } = await replay(id);
    expect(status).toBe(200);
    expect(await requestedRuns(test, { flowId: flow.id })).toEqual([
      expect.objectContaining({
        id: body.flowRunId,
        applicationId: application.id,
        flowVersionId: version.id,
        deviceId,
        trigger: { ...PRESSED, time: new Date(END).toISOString() },
      }),
    ]);
  });

  it('returns 400 if the workflow is disabled, or the version or the payload is gone', async () => {
    const version = await makeVersion(test, user.token, flow);
    const [id, gone] = [await runAt(END), await runAt(END, { flowVersionId: version.id })];
    const path = `/applications/${application.id}/flows/${flow.id}`;
    await test.client.delete(`${path}/versions/${version.id}`, { token: user.token });
    expect((await replay(gone)).body.message).toBe('The version of the run has been deleted');
    await test.client.patch(path, { enabled: false }, { token: user.token });
    expect((await replay(id)).body.message).toBe('The workflow or the version of the run is disabled');
    await test.client.patch(path, { enabled: true }, { token: user.token });
    await test.dataSource.manager.delete(FlowRunPayload, { applicationId: application.id });
    const expired = await replay(id);
    expect([expired.status, expired.body.message]).toEqual([400, 'The payload of the run has expired']);
    expect(await requestedRuns(test, { flowId: flow.id })).toEqual([]);
  });

  it('is limited for each workflow', async () => {
    const id = await runAt(END);
    // The replays can span two rate limit windows, each of which allows 100.
    const answers = await Promise.all(Array.from({ length: 201 }, () => replay(id)));
    expect(answers.some(({ status }) => status === 429)).toBe(true);
    const accepted = answers.filter(({ status }) => status === 200);
    expect(await requestedRuns(test, { flowId: flow.id })).toHaveLength(accepted.length);
  });

  it('requires `collaborate`, as reading the payload does, and appears in the audit log', async () => {
    const { id: orgId } = await makeOrg(test, user.token);
    const theirs = await makeApplication(test, user.token, { orgId });
    flow = await makeFlow(test, user.token, theirs.id);
    const id = await runAt(END);
    const viewer = await makeMember(test, orgId, 'view');
    const collaborator = await makeMember(test, orgId, 'collaborate');
    expect((await replay(id, viewer.token)).status).toBe(403);
    expect((await get(`${pathOf()}/${id}`, viewer.token)).status).toBe(403);
    for (const path of [pathOf(), `${pathOf()}/${id}/trace`])
      expect((await get(path, viewer.token)).status).toBe(200);
    expect((await replay(id, collaborator.token)).status).toBe(200);
    const entries = await test.dataSource.query(
      `SELECT actor_id, secondary_target_id FROM audit_logs WHERE org_id = $1 AND request_action = 'replay'`,
      [orgId],
    );
    expect(entries).toEqual([{ actor_id: collaborator.id, secondary_target_id: flow.id }]);
  });
});

describe.each([
  ['flowRuns.get', ''],
  ['flowRun.get', '/ID'],
  ['flowRun.trace', '/ID/trace'],
  ['flowRun.replay', '/ID/replay'],
])('%s', (scope, suffix) => {
  const ask = (path: string, token?: string) =>
    scope === 'flowRun.replay'
      ? test.client.post(path, undefined, { token })
      : test.client.get(path, { token });

  it('requires a token with the scope', async () => {
    const id = await runAt(END);
    const path = `${pathOf()}${suffix.replace('ID', id)}`;
    expect((await ask(path)).status).toBe(401);
    expect((await ask(path, tokenOf(test, user.id, ['flow.get']))).status).toBe(403);
    expect((await ask(path, tokenOf(test, user.id, [scope]))).status).toBe(200);
  });

  it('returns 404 for a run or workflow of another application', async () => {
    const id = await runAt(END);
    const elsewhere = await makeApplication(test, user.token);
    const other = await makeFlow(test, user.token, elsewhere.id);
    const of = [
      { ...flow, applicationId: elsewhere.id },
      { ...flow, id: newId() },
    ];
    for (const each of suffix ? [...of, other] : of)
      expect((await ask(`${pathOf(each)}${suffix.replace('ID', id)}`, user.token)).status).toBe(404);
  });
});
