import { makeFlow, makeRuns, makeVersion } from '../../../../test/make/flows.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { newId } from '../../../platform/repositories/resource.js';
import type { FlowRun } from './flow-run.entity.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const DEVICE = newId();

type Run = Pick<
  FlowRun,
  'requestedAt' | 'flowVersionId' | 'deviceId' | 'pathsCompleted' | 'pathsFailed' | 'wallTime'
>;
const SUMS = ['pathsCompleted', 'pathsFailed', 'wallTime'] as const;

const { test, user, application } = suite();
let flow: any;
let version: any;
let gone: string;
let runs: Run[];
let path: string;

const ask = async (of: string) => (await test.client.get(`${path}${of}`, { token: user.token })).body;
const query = (text: string) => test.dataSource.query(text, [flow.id]);
const folded = () =>
  waitUntil(async () => (await query('SELECT FROM flow_run_deltas WHERE flow_id = $1')).length === 0);

/** Creates runs over three days, some of them at the boundaries of minutes and hours. */
beforeEach(async () => {
  flow = await makeFlow(test, user.token, application.id);
  version = await makeVersion(test, user.token, flow);
  gone = newId();
  path = `/applications/${application.id}/flows/${flow.id}`;
  const hour = Math.floor(Date.now() / HOUR) * HOUR;
  runs = Array.from({ length: 400 }, (_, i) => {
    const before = [(i * 7_919_381) % (3 * DAY), (i % 70) * HOUR, (i % 70) * MINUTE, (i % 70) * MINUTE - 1][
      i % 4
    ]!;
    return {
      requestedAt: new Date(Math.min(hour - before, Date.now())),
      flowVersionId: [null, version.id, gone][i % 3],
      deviceId: i % 5 ? null : DEVICE,
      pathsCompleted: i % 7,
      pathsFailed: i % 11 ? 0 : 2,
      wallTime: i % 13,
    };
  });
  await makeRuns(test, flow, runs);
});

/** Returns the expected statistics of the runs. */
function expected(of: readonly Run[], end: number, duration: number, resolution: number) {
  return Array.from({ length: Math.ceil(duration / resolution) }, (_, step) => {
    const start = end - duration + step * resolution;
    const inside = of.filter(({ requestedAt }) => {
      const at = requestedAt.getTime();
      return at > start && at <= Math.min(start + resolution, end);
    });
    const sums = SUMS.map((name) => [name, inside.reduce((sum, run) => sum + run[name], 0)]);
    return { time: new Date(start).toISOString(), runCount: inside.length, ...Object.fromEntries(sums) };
  });
}

/** Checks that the statistics match the runs, regardless of how many are already aggregated. */
async function check(): Promise<void> {
  const hour = Math.floor(Date.now() / HOUR) * HOUR;
  const windows = [
    [hour, DAY, HOUR],
    [hour - 1, DAY, HOUR],
    [hour + 90_500, 2 * DAY, 7 * HOUR + 123],
    [hour - 5 * MINUTE, 3 * HOUR, MINUTE],
    [hour - 5 * MINUTE + 1, 3 * HOUR + 17, MINUTE + 1],
    [hour, HOUR, 30_000],
    [hour, 3 * DAY, 3 * DAY],
    [hour - 30_000, 10_000, 10_000],
  ] as const;
  for (const [end, duration, resolution] of windows) {
    const window = `stats?end=${end}&duration=${duration}&resolution=${resolution}`;
    const answer = async (of: string) => (await ask(of)).metrics;
    const want = (of: (run: Run) => boolean) => expected(runs.filter(of), end, duration, resolution);
    expect(await answer(`/${window}`)).toEqual(want(() => true));
    expect(await answer(`/${window}&flowVersion=develop`)).toEqual(want((run) => run.flowVersionId === null));
    expect(await answer(`/versions/${version.id}/${window}`)).toEqual(
      want((run) => run.flowVersionId === version.id),
    );
    expect(await answer(`/${window}&deviceId=${DEVICE}`)).toEqual(want((run) => run.deviceId === DEVICE));
  }
  const { stats } = await ask('');
  const now = Date.now();
  const recent = (min: number) => runs.filter((run) => run.requestedAt.getTime() > now - min).length;
  expect(stats.runCount).toBeGreaterThanOrEqual(recent(DAY));
  expect(stats.runCount).toBeLessThanOrEqual(recent(DAY + MINUTE));
  const { develop, [version.version]: named } = stats.byVersion;
  expect(stats.runCount).toBeGreaterThan(develop.runCount + named.runCount);
}

it('returns the same statistics before and after runs are aggregated', async () => {
  await check();
  await folded();
  await check();
  await makeRuns(test, flow, runs.slice(0, 50));
  runs.push(...runs.slice(0, 50));
  await check();
});

it('aggregates the same totals per minute and per hour', async () => {
  await folded();
  const sums = 'sum(runs)::int AS runs, sum(failed_runs)::int AS failed, sum(wall_time)::int AS time';
  const byLength = await query(
    `SELECT minutes, ${sums} FROM flow_run_sums WHERE flow_id = $1 GROUP BY minutes ORDER BY minutes`,
  );
  const all = {
    runs: runs.length,
    failed: runs.filter(({ pathsFailed }) => pathsFailed > 0).length,
    time: runs.reduce((sum, { wallTime }) => sum + wallTime, 0),
  };
  expect(byLength).toEqual([
    { minutes: 1, ...all },
    { minutes: 60, ...all },
  ]);
});

it('assigns dropped runs to the step in which their minute ends', async () => {
  const minute = Math.floor(Date.now() / MINUTE) * MINUTE - HOUR;
  const drop = (until: number, versionId: string, count: number) =>
    test.dataSource.query(
      `INSERT INTO flow_run_deltas (flow_id, until, flow_version_id, dropped_runs, runs, failed_runs, paths_completed, paths_failed, wall_time)
       VALUES ($1, $2, $3, $4, 0, 0, 0, 0, 0)`,
      [flow.id, new Date(until), versionId, count],
    );
  await drop(minute, '', 7);
  await drop(minute, version.id, 5);
  await drop(minute + MINUTE, '', 3);
  const checked = async () => {
    const droppedOf = async (of: string, end: number, resolution: number) => {
      const window = `end=${end}&duration=${2 * MINUTE}&resolution=${resolution}`;
      const { metrics } = await ask(`/runs/dropped?${window}${of}`);
      return metrics.map(({ runsDropped }: any) => runsDropped);
    };
    expect(await droppedOf('', minute + MINUTE, MINUTE)).toEqual([12, 3]);
    expect(await droppedOf('', minute + MINUTE + 1, MINUTE)).toEqual([12, 3]);
    expect(await droppedOf('', minute, 30_000)).toEqual([0, 0, 0, 12]);
    expect(await droppedOf(`&flowVersion=${version.version}`, minute + MINUTE, MINUTE)).toEqual([5, 0]);
  };
  await checked();
  await folded();
  await checked();
});

it('keeps the sums of deleted runs until the sums expire', async () => {
  await folded();
  await query('DELETE FROM flow_runs WHERE flow_id = $1');
  const hour = Math.floor(Date.now() / HOUR) * HOUR;
  const window = [hour, DAY, HOUR] as const;
  const { metrics } = await ask(`/stats?end=${hour}&duration=${DAY}&resolution=${HOUR}`);
  expect(metrics).toEqual(expected(runs, ...window));
});

it.each([
  [59_999, HOUR, 200],
  [59_999, HOUR + 1, 400],
  [MINUTE, HOUR + 1, 200],
])('with a resolution of %i ms and a duration of %i ms, returns %i', async (resolution, duration, status) => {
  const url = `${path}/stats?resolution=${resolution}&duration=${duration}`;
  const answer = await test.client.get(url, { token: user.token });
  expect(answer.status).toBe(status);
  if (status === 400)
    expect(answer.body.message).toBe('resolution must be at least 60000 if duration is more than an hour');
});
