import { ObjectId } from 'bson';
import { makeFlow, makeRuns, makeVersion } from '../../../../test/make/flows.js';
import { makeApplication, makeMember, makeOrg, makeUser, tokenOf } from '../../../../test/make/make.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { newId } from '../../../platform/repositories/resource.js';
import type { FlowRun, RunError } from './flow-run.entity.js';
import { FlowRunPayload } from './flow-run-payload.entity.js';
import { FlowRunRetention } from './flow-run-retention.js';
import { suite } from '../../../../test/setup/suite.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const END = Date.parse('2026-06-13T04:00:00.000Z');

const { test, user } = suite();
let application: any;
let flow: any;
let version: any;

beforeEach(async () => {
  application = await makeApplication(test, user.token);
  flow = await makeFlow(test, user.token, application.id);
  version = await makeVersion(test, user.token, flow);
});

const pathOf = (what: string) => `/applications/${application.id}/flows/${flow.id}/${what}`;
const versionPathOf = (what: string) => pathOf(`versions/${version.id}/${what}`);
const ask = (path: string, token = user.token) => test.client.get(path, { token });
const runAt = (time: number, more: Partial<FlowRun> = {}): Partial<FlowRun> => ({
  requestedAt: new Date(time),
  ...more,
});
const errorAt = (time: number, name = 'TypeError'): RunError => ({
  time: new Date(time).toISOString(),
  nodeId: 'hot',
  nodeLabel: 'Hot?',
  error: { name, message: 'no number' },
});

describe('GET logs of a workflow', () => {
  it('returns the newest run by default, and more if requested', async () => {
    await makeRuns(test, flow, [
      runAt(END - 2, { pathsCompleted: 2, wallTime: 7 }),
      runAt(END - 1, { flowVersionId: version.id, pathsFailed: 1, errors: [errorAt(END)] }),
      runAt(END),
    ]);
    const newest = await ask(pathOf('logs'));
    expect(newest.status).toBe(200);
    const idle = { runCount: 1, pathsCompleted: 0, pathsFailed: 0, wallTime: 0, errors: [] };
    const last = { time: new Date(END).toISOString(), flowVersionId: 'develop', ...idle };
    expect(newest.body).toEqual([last]);
    const { body } = await ask(pathOf('logs?limit=10'));
    expect(body).toEqual([
      last,
      {
        ...idle,
        time: new Date(END - 1).toISOString(),
        flowVersionId: version.id,
        pathsFailed: 1,
        errors: [errorAt(END)],
      },
      {
        ...idle,
        time: new Date(END - 2).toISOString(),
        flowVersionId: 'develop',
        pathsCompleted: 2,
        wallTime: 7,
      },
    ]);
  });

  it('returns the runs after a given time', async () => {
    await makeRuns(test, flow, [runAt(END - 1), runAt(END), runAt(END + 1)]);
    const { body } = await ask(pathOf(`logs?limit=10&since=${END}`));
    expect(body.map(({ time }: any) => time)).toEqual([new Date(END + 1).toISOString()]);
  });

  it('excludes runs of other workflows', async () => {
    const other = await makeFlow(test, user.token, application.id);
    await makeRuns(test, other, [runAt(END)]);
    expect((await ask(pathOf('logs?limit=10'))).body).toEqual([]);
  });

  it('returns the runs of one version', async () => {
    await makeRuns(test, flow, [runAt(END), runAt(END - 1, { flowVersionId: version.id })]);
    const { status, body } = await ask(versionPathOf('logs?limit=10'));
    expect(status).toBe(200);
    expect(body.map(({ flowVersionId }: any) => flowVersionId)).toEqual([version.id]);
  });
});

describe('GET statistics of a workflow', () => {
  it('covers the last day in steps of an hour by default', async () => {
    await makeRuns(test, flow, [runAt(Date.now()), runAt(Date.now() - 2 * DAY)]);
    const { status, body } = await ask(pathOf('stats'));
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['end', 'metrics', 'resolution', 'start']);
    expect(Date.parse(body.end) - Date.parse(body.start)).toBe(DAY);
    expect(Math.abs(Date.parse(body.end) - Date.now())).toBeLessThan(60_000);
    expect(body.resolution).toBe(HOUR);
    expect(body.metrics.map(({ runCount }: any) => runCount)).toEqual([...Array(23).fill(0), 1]);
    expect(body.metrics[0].time).toBe(body.start);
    expect(body.metrics[23].time).toBe(new Date(Date.parse(body.end) - HOUR).toISOString());
  });

  it('aggregates the runs of each step, with an exclusive start and an inclusive end', async () => {
    await makeRuns(test, flow, [
      runAt(END - 3_000, { pathsCompleted: 100 }),
      runAt(END - 2_999, { pathsCompleted: 1, wallTime: 5 }),
      runAt(END - 2_000, { pathsCompleted: 2, pathsFailed: 3, wallTime: 6 }),
      runAt(END - 500, { flowVersionId: version.id, pathsFailed: 1 }),
      runAt(END, { pathsCompleted: 4 }),
      runAt(END + 1, { pathsCompleted: 100 }),
    ]);
    const { body } = await ask(pathOf(`stats?end=${END}&duration=3000&resolution=1000`));
    const none = { runCount: 0, pathsCompleted: 0, pathsFailed: 0, wallTime: 0 };
    const at = (before: number) => new Date(END - before).toISOString();
    expect(body).toEqual({
      start: at(3_000),
      end: at(0),
      resolution: 1_000,
      metrics: [
        { time: at(3_000), runCount: 2, pathsCompleted: 3, pathsFailed: 3, wallTime: 11 },
        { time: at(2_000), ...none },
        { time: at(1_000), runCount: 2, pathsCompleted: 4, pathsFailed: 1, wallTime: 0 },
      ],
    });
  });

  it('can be restricted to one version or one device', async () => {
    const deviceId = newId();
    await makeRuns(test, flow, [
      runAt(END),
      runAt(END, { flowVersionId: version.id }),
      runAt(END, { flowVersionId: version.id, deviceId }),
    ]);
    const window = `end=${END}&duration=1000&resolution=1000`;
    const countOf = async (query: string) => {
      const { body } = await ask(pathOf(`stats?${window}&${query}`));
      return [body.metrics[0].runCount, body.flowVersion, body.flowVersionId, body.deviceId];
    };
    expect(await countOf('')).toEqual([3, undefined, undefined, undefined]);
    expect(await countOf('flowVersion=develop')).toEqual([1, 'develop', undefined, undefined]);
    const named = [version.version, version.id];
    expect(await countOf(`flowVersion=${version.version}`)).toEqual([2, ...named, undefined]);
    expect(await countOf(`deviceId=${deviceId.toUpperCase()}`)).toEqual([1, undefined, undefined, deviceId]);
    const { body } = await ask(versionPathOf(`stats?${window}`));
    expect(body).toMatchObject({ flowVersion: version.version, flowVersionId: version.id });
    expect(body.metrics[0].runCount).toBe(2);
  });

  it('allows at most 1,440 steps', async () => {
    expect((await ask(pathOf('stats?duration=86400000&resolution=60000'))).body.metrics).toHaveLength(1_440);
    for (const path of [pathOf('stats'), versionPathOf('stats')]) {
      const { status, body } = await ask(`${path}?duration=1441&resolution=1`);
      expect([status, body.message]).toEqual([400, 'resolution results in more than 1440 steps']);
    }
  });
});

describe('GET errors of a workflow', () => {
  it('returns the errors of runs in the time range, newest first', async () => {
    const deviceId = newId();
    await makeRuns(test, flow, [
      runAt(END - 30, { errors: [errorAt(END - 20, 'First'), errorAt(END - 5, 'Third')] }),
      runAt(END - 15, { flowVersionId: version.id, deviceId, errors: [errorAt(END - 10, 'Second')] }),
      runAt(END - 10),
      runAt(END - DAY - 1, { errors: [errorAt(END - DAY - 1, 'Too old')] }),
    ]);
    const { status, body } = await ask(pathOf(`errors?end=${END}`));
    expect(status).toBe(200);
    expect(body).toEqual({
      start: new Date(END - DAY).toISOString(),
      end: new Date(END).toISOString(),
      limit: 25,
      sortDirection: 'desc',
      errors: [
        { ...errorAt(END - 5, 'Third'), flowVersion: 'develop' },
        {
          ...errorAt(END - 10, 'Second'),
          deviceId,
          flowVersion: version.version,
          flowVersionId: version.id,
        },
        { ...errorAt(END - 20, 'First'), flowVersion: 'develop' },
      ],
    });
    const namesOf = async (path: string) =>
      (await ask(path)).body.errors.map((entry: any) => entry.error.name);
    expect(await namesOf(pathOf(`errors?end=${END}&sortDirection=asc&limit=2`))).toEqual(['First', 'Second']);
    expect(await namesOf(pathOf(`errors?end=${END}&flowVersion=develop`))).toEqual(['Third', 'First']);
    expect(await namesOf(pathOf(`errors?end=${END}&deviceId=${deviceId}`))).toEqual(['Second']);
    expect(await namesOf(versionPathOf(`errors?end=${END}`))).toEqual(['Second']);
  });
});

describe.each(['logs', 'stats', 'errors'])('%s', (what) => {
  it('returns 404 for a workflow or version of another application', async () => {
    const elsewhere = await makeApplication(test, user.token);
    const paths = [
      [`/applications/${elsewhere.id}/flows/${flow.id}/${what}`, 'Flow'],
      [`/applications/${application.id}/flows/${newId()}/${what}`, 'Flow'],
      [`/applications/${elsewhere.id}/flows/${flow.id}/versions/${version.id}/${what}`, 'Flow'],
      [pathOf(`versions/${newId()}/${what}`), 'Flow version'],
    ] as const;
    for (const [path, title] of paths) {
      const { status, body } = await ask(path);
      expect([status, body.message]).toEqual([404, `${title} was not found`]);
    }
    const other = await makeFlow(test, user.token, application.id);
    const foreign = await ask(
      `/applications/${application.id}/flows/${other.id}/versions/${version.id}/${what}`,
    );
    expect(foreign.status).toBe(404);
  });

  it('requires access to the application and a token with a matching scope', async () => {
    const org = await makeOrg(test, user.token);
    application = await makeApplication(test, user.token, { orgId: org.id });
    flow = await makeFlow(test, user.token, application.id);
    version = await makeVersion(test, user.token, flow);
    const viewer = await makeMember(test, org.id, 'view');
    const nobody = await makeUser(test);
    const action = what === 'logs' ? 'log' : what;
    for (const [path, resource] of [
      [pathOf(what), 'flow'],
      [versionPathOf(what), 'flowVersion'],
    ] as const) {
      expect((await ask(path, viewer.token)).status).toBe(200);
      expect((await ask(path, nobody.token)).status).toBe(404);
      expect((await ask(path, tokenOf(test, user.id, [`${resource}.${action}`]))).status).toBe(200);
      expect((await ask(path, tokenOf(test, user.id, [`${resource}.get`]))).status).toBe(403);
      expect((await test.client.get(path)).status).toBe(401);
    }
  });
});

it.each([
  ['logs?limit=0', 'limit'],
  ['logs?limit=1001', 'limit'],
  ['logs?since=yesterday', 'since'],
  ['stats?duration=0', 'duration'],
  ['stats?duration=99999999999', 'duration'],
  ['stats?end=-1', 'end'],
  ['stats?resolution=x', 'resolution'],
  ['stats?deviceId=x', 'deviceId'],
  ['stats?flowVersion=none', 'flowVersion'],
  ['errors?limit=0', 'limit'],
  ['errors?sortDirection=up', 'sortDirection'],
  ['errors?flowVersion=none', 'flowVersion'],
])('%s returns 400', async (path, field) => {
  const { status, body } = await ask(pathOf(path));
  expect(status).toBe(400);
  expect(body.message).toMatch(new RegExp(`^${field} `));
});

describe('Retention of runs', () => {
  const idOfAge = (days: number) => ObjectId.createFromTime(Date.now() / 1_000 - days * 86_400).toHexString();
  const idsOf = async (): Promise<string[]> => {
    const rows = await test.dataSource.query('SELECT id FROM flow_runs WHERE flow_id = $1 ORDER BY id', [
      flow.id,
    ]);
    return rows.map(({ id }: { id: string }) => id);
  };

  it('deletes runs after 30 days', async () => {
    const kept = idOfAge(29);
    await makeRuns(test, flow, [{ id: kept }, { id: idOfAge(31) }]);
    await test.app.get(FlowRunRetention).removeOld();
    expect(await idsOf()).toEqual([kept]);
  });

  it('keeps payloads as long as their runs', async () => {
    const [old, kept] = [idOfAge(31), idOfAge(29)];
    const { id: applicationId } = application;
    const payloads = [old, kept].map((id) => ({ id, applicationId, trigger: {} as never }));
    await test.dataSource.manager.insert(FlowRunPayload, payloads);
    await test.app.get(FlowRunRetention).removeOld();
    expect(await test.dataSource.manager.findBy(FlowRunPayload, { applicationId })).toEqual([
      expect.objectContaining({ id: kept }),
    ]);
  });

  it('deletes runs together with their workflow', async () => {
    await makeRuns(test, flow, [{}]);
    await test.client.delete(`/applications/${application.id}/flows/${flow.id}`, { token: user.token });
    await waitUntil(async () => (await idsOf()).length === 0);
  });
});
