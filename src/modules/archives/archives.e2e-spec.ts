import { parse } from 'csv-parse/sync';
import { startS3Archive, type ArchiveServer } from '../../../test/archive-stores.js';
import { moveClock } from '../../../test/clock.js';
import { makeDataTable } from '../../../test/data-tables.js';
import { makeDevice, storePoints } from '../../../test/device-points.js';
import { endOf } from '../../../test/exports.js';
import { makeApplication, makeOrg, makeUser, tokenOf } from '../../../test/make.js';
import { mailsTo } from '../../../test/mails.js';
import { suite } from '../../../test/suite.js';
import { Job } from '../../platform/jobs/job.entity.js';
import type { JobContext } from '../../platform/jobs/on-job.js';
import { rowsTable } from '../data-tables/table-columns.js';
import { DAY, dayOf, dayText } from './archive-days.js';
import { ArchiveJobs } from './archive.jobs.js';
import { DailyArchives } from './daily-archives.js';

/** Archives are of days long gone, whose data has to be kept. */
const KEPT_DAYS = 60;
const TODAY = dayOf(Date.now());
const daysAgo = (days: number): number => TODAY - days * DAY;

/** It is noon when the suite begins, so that no test meets the end of a day. */
let putClockRight: () => void;
beforeAll(() => (putClockRight = moveClock(TODAY + DAY / 2 - Date.now())));
afterAll(() => putClockRight());

const env: Record<string, string> = {};
let store: ArchiveServer;
beforeAll(async () => {
  store = await startS3Archive();
  env.ARCHIVE_S3_ENDPOINT = store.endpoint;
});
afterAll(() => store.close());
const { test, user } = suite(env);

let orgId: string;
let id: string;
let path: string;

beforeEach(async () => {
  const org = await makeOrg(test, user.token);
  orgId = org.id;
  await keepFor(KEPT_DAYS);
  const archiveConfig = { s3: store.settings, directory: '{{globals.site}}' };
  const site = `site-${orgId}`;
  const globals = [{ key: 'site', json: JSON.stringify(site) }];
  ({ id } = await makeApplication(test, user.token, { orgId, archiveConfig, globals }));
  path = `/applications/${id}`;
});

const keepFor = (days: number) =>
  test.dataSource.query(`UPDATE orgs SET limits = jsonb_build_object('dataTTL', $2::int) WHERE id = $1`, [
    orgId,
    days * 86_400,
  ]);
const options = () => ({ token: user.token });
const get = (operation: string) => test.client.get(`${path}/${operation}`, options());
const configure = (archiveConfig: object, more: object = {}) =>
  test.client.patch(
    path,
    { archiveConfig: { s3: store.settings, directory: `site-${orgId}`, ...archiveConfig }, ...more },
    options(),
  );

/** What is archived of the application, by keys below its directory, but for what the settings were tried with. */
async function archived(): Promise<Record<string, string>> {
  const folder = `site-${orgId}/`;
  const entries = Object.entries(await store.objects());
  return Object.fromEntries(
    entries.flatMap(([key, text]) =>
      key.startsWith(folder) && !key.endsWith('.txt') ? [[key.slice(folder.length), text]] : [],
    ),
  );
}

async function done(operation: string): Promise<Job> {
  const answer = await get(operation);
  expect(answer).toMatchObject({ status: 202, body: { success: true, jobQueued: true } });
  const job = await endOf(test, answer.body.jobId);
  expect(job).toMatchObject({ status: 'completed', error: null });
  return job;
}

const report = (device: { id: string; applicationId: string }, ...times: number[]) =>
  storePoints(
    test,
    device,
    times.map((time, value) => ({ attribute: 'pressure', time, value })),
  );
const makePump = (more: object = {}) => makeDevice(test, id, user.token, more);

describe('A day', () => {
  const day = daysAgo(40);
  const date = day + 12 * 3_600_000;

  it('is archived with a file of each device that reported something', async () => {
    const [pump, valve] = [await makePump(), await makePump()];
    await makePump();
    await report(pump, day - 1, day, day + DAY - 1, day + DAY);
    await report(valve, day + 5);
    const job = await done(`archiveData?date=${date}`);
    expect(job.progress).toEqual({ completed: 1, total: 1, status: 'days archived' });
    const { body: log } = await test.client.get(`${path}/jobLogs`, options());
    expect(log.items[0]).toMatchObject({
      name: 'application.archiveData',
      status: 'completed',
      input: { start: day, end: day + DAY },
      output: { devicesDirectory: `site-${orgId}/` },
    });
    const objects = await archived();
    expect(Object.keys(objects).sort()).toEqual(
      [pump, valve].map((device) => `${dayText(day)}/${device.id}.csv`).sort(),
    );
    const text = objects[`${dayText(day)}/${pump.id}.csv`]!;
    expect(text.split('\r\n')[0]).toBe('Timestamp,ISO Date,pressure,open,mode,place');
    expect(parse(text, { columns: true })).toMatchObject([
      { Timestamp: String(day), 'ISO Date': new Date(day).toISOString(), pressure: '1' },
      { Timestamp: String(day + DAY - 1), pressure: '2' },
    ]);
  });

  it('is archived again without being there twice, with what came since', async () => {
    const pump = await makePump();
    await report(pump, day);
    await done(`archiveData?date=${date}`);
    const first = await archived();
    await done(`archiveData?date=${date}`);
    expect(await archived()).toEqual(first);
    await report(pump, day + 1);
    await done(`archiveData?date=${date}`);
    const second = await archived();
    expect(Object.keys(second)).toEqual(Object.keys(first));
    expect(parse(Object.values(second)[0]!)).toHaveLength(3);
  });

  it('has the devices that the settings select', async () => {
    const [north, south] = [
      await makePump({ tags: [{ key: 'site', value: 'north' }] }),
      await makePump({ tags: [{ key: 'site', value: 'south' }] }),
    ];
    for (const device of [north, south]) await report(device, day);
    const selected = async (settings: object) => {
      const directory = `site-${orgId}/${Object.values(settings).join('')}`;
      await configure({ ...settings, directory });
      await done(`archiveData?date=${date}`);
      const under = Object.keys(await store.objects()).filter((key) => key.startsWith(`${directory}/2`));
      return under.map((key) => key.slice(-28, -4)).sort();
    };
    const both = [north.id, south.id].sort();
    const named = { deviceTags: [{ key: 'site', value: 'north' }] };
    expect(await selected({ mode: 'all' })).toEqual(both);
    expect(await selected({ mode: 'whitelist', ...named })).toEqual([north.id]);
    expect(await selected({ mode: 'blacklist', ...named })).toEqual([south.id]);
    expect(await selected({ mode: 'blacklist' })).toEqual(both);
    expect(await selected({ mode: 'whitelist' })).toEqual([]);
    expect(await selected({ includeDevices: false })).toEqual([]);
  });

  it('has the events that happened on it, and the rows that were changed on it, where the settings include them', async () => {
    for (const [subject, time] of [
      ['before', day - 1],
      ['first', day],
      ['last', day + DAY - 1],
      ['after', day + DAY],
    ] as const)
      await makeEvent(subject, time);
    const table = await makeDataTable(test, user.token, id, [
      { name: 'serial', dataType: 'string', constraint: 'optional' },
    ]);
    await table.insert([{ serial: 'old' }, { serial: 'today' }]);
    const rows = rowsTable(table.id);
    await test.dataSource.query(
      `UPDATE ${rows} SET updated_at = $1 WHERE id = (SELECT min(id) FROM ${rows})`,
      [new Date(day)],
    );
    await done(`archiveData?date=${date}`);
    expect(await archived()).toEqual({});
    await configure({ includeEvents: true, includeDataTables: true });
    await done(`archiveData?date=${date}`);
    const objects = await archived();
    const events = parse<{ subject: string }>(objects[`${dayText(day)}/events.csv`]!, { columns: true });
    expect(events.map(({ subject }) => subject)).toEqual(['first', 'last']);
    const changed = parse(objects[`${dayText(day)}/data-tables/${table.id}.csv`]!, { columns: true });
    expect(changed).toMatchObject([{ serial: 'old', updatedAt: new Date(day).toISOString() }]);
    expect(Object.keys(objects)).toHaveLength(2);
  });

  it('is one that is old enough, and of which all is there', async () => {
    const window = `${dayText(daysAgo(KEPT_DAYS - 1))} to ${dayText(daysAgo(31))}`;
    for (const wrong of [Date.now() - 31 * DAY + 60_000, Date.now(), daysAgo(KEPT_DAYS) - 1, 0]) {
      const { status, body } = await get(`archiveData?date=${wrong}`);
      expect(status).toBe(400);
      expect(body.message).toMatch(/^date must be of a day that is older than 31 days/);
      expect(body.message).toContain(window);
    }
    expect((await get(`archiveData?date=${daysAgo(KEPT_DAYS - 1)}`)).status).toBe(202);
    await keepFor(30);
    expect((await get(`archiveData?date=${date}`)).body.message).toContain('there is none');
  });

  it.each([
    ['', 'date is required'],
    ['?date=', 'date is required'],
    ['?date=yesterday', 'date must be an integer, milliseconds since 1970'],
  ])('is named: %j', async (query, message) => {
    const { status, body } = await get(`archiveData${query}`);
    expect([status, body.message]).toEqual([400, message]);
  });

  it('is told by mail to whoever asked, also where the settings have stopped working', async () => {
    const sealed = 'SELECT archive_secrets FROM applications WHERE id = $1';
    const [row] = await test.dataSource.query<{ archive_secrets: string }[]>(sealed, [id]);
    await done(`archiveData?date=${date}`);
    await test.dataSource.query(
      `UPDATE applications SET archive_config = jsonb_set(archive_config, '{s3,bucket}', '"gone-away"') WHERE id = $1`,
      [id],
    );
    await report(await makePump(), day);
    const { body } = await get(`archiveData?date=${date}`);
    const message = 'application.archiveConfig.s3.bucket names none that is there';
    expect(await endOf(test, body.jobId)).toMatchObject({ status: 'errored', error: { message } });
    const mails = await mailsTo(test, user.email);
    expect(mails.map(({ subject }) => subject)).toEqual([
      `The archive of ${dayText(day)} is done`,
      `The archive of ${dayText(day)} has failed`,
    ]);
    expect(mails[1]!.text).toContain(message);
    expect(row!.archive_secrets).toBeTruthy();
    expect(JSON.stringify([mails, test.log])).not.toContain(row!.archive_secrets);
  });
});

async function makeEvent(subject: string, time: number): Promise<void> {
  const event = { level: 'info', subject };
  const { body } = await test.client.post(`${path}/events`, event, options());
  const set = 'UPDATE events SET creation_date = $2 WHERE id = $1';
  await test.dataSource.query(set, [body.id, new Date(time)]);
}

describe('All days', () => {
  it('that can be are archived, those that there can be data of', async () => {
    await keepFor(34);
    await test.dataSource.query(`UPDATE applications SET creation_date = '2026-01-01' WHERE id = $1`, [id]);
    const pump = await makePump();
    await report(pump, ...[35, 34, 33, 32, 31, 30].map((days) => daysAgo(days)));
    const { progress } = await done('backfillArchiveData');
    // With all of a day still there: 34 days ago only at midnight.
    const expected = [33, 32, 31].map((days) => `${dayText(daysAgo(days))}/${pump.id}.csv`);
    expect(Object.keys(await archived()).sort()).toEqual(expected);
    expect(progress).toEqual({ completed: 3, total: 3, status: 'days archived' });
  });

  it('are none where data is kept for as long as devices may report it', async () => {
    await keepFor(30);
    await done('backfillArchiveData');
    expect(await archived()).toEqual({});
  });

  it('are gone on with where an attempt ended', async () => {
    const pump = await makePump();
    const days = { first: daysAgo(42), last: daysAgo(40) };
    await report(pump, days.first, daysAgo(41), days.last);
    const told: object[] = [];
    const job: JobContext = {
      id: 'a-job',
      attempt: 2,
      last: false,
      reached: { completed: 1, total: 3, status: 'days archived' },
      signal: new AbortController().signal,
      progress: async (progress) => void told.push(progress),
      keep: () => Promise.resolve(),
    };
    await test.app
      .get(ArchiveJobs, { strict: false })
      .backfill({ applicationId: id, listeners: {}, days }, job);
    expect(Object.keys(await archived()).sort()).toEqual(
      [41, 40].map((ago) => `${dayText(daysAgo(ago))}/${pump.id}.csv`),
    );
    expect(told.at(-1)).toEqual({ completed: 3, total: 3, status: 'days archived' });
  });
});

describe('A full archive', () => {
  it('has all events, whatever the settings include', async () => {
    await makeEvent('long ago', daysAgo(500));
    await makeEvent('now', Date.now());
    await done('fullEventsArchive');
    const objects = await archived();
    expect(Object.keys(objects)).toEqual(['full/events.csv']);
    const events = parse<{ subject: string }>(objects['full/events.csv']!, { columns: true });
    expect(events.map(({ subject }) => subject)).toEqual(['long ago', 'now']);
  });

  it('has all rows of the data tables that the settings select', async () => {
    const columns = [{ name: 'serial', dataType: 'string', constraint: 'optional' }];
    const make = () => makeDataTable(test, user.token, id, columns);
    const [first, second, third] = [await make(), await make(), await make()];
    await first.insert([{ serial: 'a' }, { serial: 'b' }]);
    await configure({ dataTablesMode: 'blacklist', dataTableIds: [third.id.toUpperCase()] });
    await done('fullDataTablesArchive');
    const objects = await archived();
    const key = (table: { id: string }) => `full/data-tables/${table.id}.csv`;
    expect(Object.keys(objects).sort()).toEqual([key(first), key(second)].sort());
    expect(parse(objects[key(first)]!, { columns: true })).toMatchObject([{ serial: 'a' }, { serial: 'b' }]);
    expect(objects[key(second)]).toBe('id,serial,createdAt,updatedAt\r\n');
  });
});

describe('Archives', () => {
  const operations = [
    'archiveData?date=1',
    'backfillArchiveData',
    'fullEventsArchive',
    'fullDataTablesArchive',
  ];

  it.each(operations)('are not of applications without settings: %s', async (operation) => {
    await test.client.patch(path, { archiveConfig: null }, options());
    const { status, body } = await get(operation);
    expect([status, body.message]).toEqual([
      400,
      'application.archiveConfig is required: nothing says where to archive',
    ]);
  });

  it.each(operations)('are nothing for those who only read, or see nothing: %s', async (operation) => {
    const statusOf = async (token: string) =>
      (await test.client.get(`${path}/${operation}`, { token })).status;
    expect(await statusOf(tokenOf(test, user.id, ['all.User.read']))).toBe(403);
    expect(await statusOf((await makeUser(test)).token)).toBe(404);
  });
});

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
  const begin = () => test.app.get(DailyArchives, { strict: false }).begin();
  /** Until nothing is due: others of the same database may come first. */
  const beginAll = async () => {
    while ((await begin()) > 0);
  };
  /** Has it run, tomorrow as it were. */
  async function run(): Promise<void> {
    const before = (await runs()).length;
    await test.dataSource.query(`UPDATE archive_schedules SET run_at = now() WHERE application_id = $1`, [
      id,
    ]);
    await beginAll();
    const jobs = await runs();
    expect(jobs).toHaveLength(before + 1);
    for (const job of jobs) expect(await endOf(test, job.id)).toMatchObject({ status: 'completed' });
  }

  it('is begun once a day, also by several workers at once', async () => {
    await Promise.all([beginAll(), beginAll(), beginAll()]);
    expect(await runs()).toHaveLength(1);
    await beginAll();
    expect(await runs()).toHaveLength(1);
    const isLater = 'SELECT run_at > now() AS later FROM archive_schedules WHERE application_id = $1';
    expect(await test.dataSource.query(isLater, [id])).toEqual([{ later: true }]);
  });

  it('has the day that is complete, and then those that came since, also where runs were missed', async () => {
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

  it('has days as young as the settings say', async () => {
    const pump = await makePump();
    await configure({ delayDays: 2 });
    await report(pump, ...[4, 3, 2].map((days) => daysAgo(days)));
    await run();
    expect(Object.keys(await archived())).toEqual([`${dayText(daysAgo(3))}/${pump.id}.csv`]);
  });

  it('ends with the settings, and is gone with the application', async () => {
    await beginAll();
    await test.client.patch(path, { archiveConfig: null }, options());
    await test.dataSource.query(`UPDATE archive_schedules SET run_at = now() WHERE application_id = $1`, [
      id,
    ]);
    const before = (await runs()).length;
    await beginAll();
    expect(await runs()).toHaveLength(before);
  });
});
