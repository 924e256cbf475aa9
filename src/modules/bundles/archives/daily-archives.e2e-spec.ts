import { archiveSuite, daysAgo } from '../../../../test/make/archives.js';
import { waitForOutcome } from '../../../../test/make/exports.js';
import { Job } from '../../../platform/jobs/job.entity.js';
import { dayText } from './archive-days.js';
import { DailyArchives } from './daily-archives.js';

const { test, application, options, makePump, configure, report, archived } = archiveSuite();
let id: string;
let path: string;
beforeEach(() => ({ id, path } = application));

describe('The daily archive', () => {
  const schedule = async () => {
    const text = 'SELECT run_at, next_day FROM archive_schedules WHERE application_id = $1';
    const [row] = await test.dataSource.query<{ run_at: Date; next_day: Date | null }[]>(text, [id]);
    return row;
  };
  const runs = () =>
    test.dataSource
      .getRepository(Job)
      .createQueryBuilder('job')
      .where(`job.name = 'application.dailyArchive' AND job.payload->>'applicationId' = :id`, { id })
      .getMany();
  const begin = () => test.app.get(DailyArchives, { strict: false }).startDue();
  /** Repeats until nothing is due, because other applications in the same database may be claimed first. */
  const beginAll = async () => {
    while ((await begin()) > 0);
  };
  /** Runs the archive as if it were the next day. */
  async function run(): Promise<void> {
    const before = (await runs()).length;
    await test.dataSource.query(
      `UPDATE archive_schedules SET run_at = now() - interval '1 s' WHERE application_id = $1`,
      [id],
    );
    await beginAll();
    const jobs = await runs();
    expect(jobs).toHaveLength(before + 1);
    for (const job of jobs) expect(await waitForOutcome(test, job.id)).toMatchObject({ status: 'completed' });
  }

  it('starts once a day, even with several concurrent workers', async () => {
    await Promise.all([beginAll(), beginAll(), beginAll()]);
    expect(await runs()).toHaveLength(1);
    await beginAll();
    expect(await runs()).toHaveLength(1);
    const isLater = 'SELECT run_at > now() AS later FROM archive_schedules WHERE application_id = $1';
    expect(await test.dataSource.query(isLater, [id])).toEqual([{ later: true }]);
  });

  it('archives the latest complete day and then later days, including those of missed runs', async () => {
    const pump = await makePump();
    await report(pump, ...[34, 33, 32, 31, 30].map((days) => daysAgo(days)));
    await run();
    const keys = async () => Object.keys(await archived()).sort();
    const key = (days: number) => `${dayText(daysAgo(days))}/${pump.id}.csv`;
    expect(await keys()).toEqual([key(31)]);
    expect((await schedule())!.next_day).toEqual(new Date(daysAgo(30)));
    await test.dataSource.query('UPDATE archive_schedules SET next_day = $2 WHERE application_id = $1', [
      id,
      new Date(daysAgo(33)),
    ]);
    await run();
    expect(await keys()).toEqual([33, 32, 31].map(key));
    expect((await schedule())!.next_day).toEqual(new Date(daysAgo(30)));
  });

  it('archives days as recent as the settings allow', async () => {
    const pump = await makePump();
    await configure({ delayDays: 2 });
    await report(pump, ...[4, 3, 2].map((days) => daysAgo(days)));
    await run();
    expect(Object.keys(await archived())).toEqual([`${dayText(daysAgo(3))}/${pump.id}.csv`]);
  });

  it('stops when the settings are removed and is deleted with the application', async () => {
    await beginAll();
    await test.client.patch(path, { archiveConfig: null }, options());
    await test.dataSource.query(
      `UPDATE archive_schedules SET run_at = now() - interval '1 s' WHERE application_id = $1`,
      [id],
    );
    const before = (await runs()).length;
    await beginAll();
    expect(await runs()).toHaveLength(before);
  });
});
