import { parse } from 'csv-parse/sync';
import { archiveSuite, attempt, daysAgo, RETENTION_DAYS } from '../../../../test/make/archives.js';
import { makeDataTable } from '../../../../test/make/data-tables.js';
import { waitForOutcome } from '../../../../test/make/exports.js';
import { makeUser, tokenOf } from '../../../../test/make/make.js';
import { mailsTo } from '../../../../test/doubles/mails.js';
import type { JobContext } from '../../../platform/jobs/on-job.js';
import { rowsTable } from '../../data/data-tables/table-columns.js';
import { DAY, dayText } from './archive-days.js';

const {
  test,
  user,
  application,
  options,
  keepFor,
  get,
  stored,
  jobs,
  makePump,
  configure,
  report,
  makeEvent,
  archived,
  done,
} = archiveSuite();
const HEADING = 'Timestamp,ISO Date,pressure,open,mode,place\r\n';
let id: string;
let path: string;
beforeEach(() => ({ id, path } = application));

describe('Archiving a day', () => {
  const day = daysAgo(40);
  const date = day + 12 * 3_600_000;

  it('writes a file for each device', async () => {
    const [pump, valve, silent] = [await makePump(), await makePump(), await makePump()];
    await report(pump, day - 1, day, day + DAY - 1, day + DAY);
    await report(valve, day + 5);
    const job = await done(`archiveData?date=${date}`);
    expect(job.progress).toEqual({ completed: 1, total: 1, status: 'days archived' });
    const { body: log } = await test.client.get(`${path}/jobLogs`, options());
    expect(log.items[0]).toMatchObject({
      name: 'application.archiveData',
      status: 'completed',
      input: { start: day, end: day + DAY },
      output: { devicesDirectory: `site-${application.orgId}/` },
    });
    const objects = await archived();
    expect(Object.keys(objects).sort()).toEqual(
      [pump, valve, silent].map((device) => `${dayText(day)}/${device.id}.csv`).sort(),
    );
    expect(objects[`${dayText(day)}/${silent.id}.csv`]).toBe(HEADING);
    const text = objects[`${dayText(day)}/${pump.id}.csv`]!;
    expect(text.startsWith(HEADING)).toBe(true);
    expect(parse(text, { columns: true })).toMatchObject([
      { Timestamp: String(day), 'ISO Date': new Date(day).toISOString(), pressure: '1' },
      { Timestamp: String(day + DAY - 1), pressure: '2' },
    ]);
  });

  it('replaces objects without duplicates and adds data that arrived later when repeated', async () => {
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

  it('omits data that was deleted since the last archive', async () => {
    await configure({ includeEvents: true, includeDataTables: true });
    await report(await makePump(), day);
    await makeEvent('first', day);
    const columns = [{ name: 'serial', dataType: 'string', constraint: 'optional' }];
    const table = await makeDataTable(test, user.token, id, columns);
    await table.insert([{ serial: 'old' }]);
    const change = (time: number) =>
      test.dataSource.query(`UPDATE ${rowsTable(table.id)} SET updated_at = $1`, [new Date(time)]);
    await change(day);
    const lines = async () => {
      await done(`archiveData?date=${date}`);
      const entries = Object.entries(await archived()).map(([key, text]) => [key, parse(text).length]);
      return Object.fromEntries(entries) as Record<string, number>;
    };
    const first = await lines();
    expect(Object.values(first)).toEqual([2, 2, 2]);
    for (const rows of ['device_points', 'events'])
      await test.dataSource.query(`DELETE FROM ${rows} WHERE application_id = $1`, [id]);
    await change(day + DAY);
    expect(await lines()).toEqual(Object.fromEntries(Object.keys(first).map((key) => [key, 1])));
  });

  it('does not replace an archive when some data of the day has expired', async () => {
    await report(await makePump(), day);
    await done(`archiveData?date=${date}`);
    const whole = await archived();
    await test.dataSource.query('DELETE FROM device_points WHERE application_id = $1', [id]);
    await keepFor(39);
    const days = { first: day, last: day };
    await expect(jobs().archiveDay({ applicationId: id, listeners: {}, days }, attempt())).rejects.toThrow(
      `Some data of ${dayText(day)} has already expired`,
    );
    const more = { first: day, last: daysAgo(38) };
    await jobs().backfill({ applicationId: id, listeners: {}, days: more }, attempt());
    expect(await archived()).toMatchObject(whole);
  });

  it('includes only the devices that the settings select', async () => {
    const [north, south] = [
      await makePump({ tags: [{ key: 'site', value: 'north' }] }),
      await makePump({ tags: [{ key: 'site', value: 'south' }] }),
    ];
    for (const device of [north, south]) await report(device, day);
    const selected = async (settings: object) => {
      const directory = `site-${application.orgId}/${Object.values(settings).join('')}`;
      await configure({ ...settings, directory });
      await done(`archiveData?date=${date}`);
      const under = Object.keys(await stored()).filter((key) => key.startsWith(`${directory}/2`));
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

  it('includes the events of the day and the rows changed on it if the settings include them', async () => {
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
    await configure({ includeDevices: false, includeEvents: true, includeDataTables: true });
    const { result } = await done(`archiveData?date=${date}`);
    const directory = `site-${application.orgId}/`;
    expect(result).toEqual({ eventsDirectory: directory, dataTablesDirectory: directory });
    const objects = await archived();
    const events = parse<{ subject: string }>(objects[`${dayText(day)}/events.csv`]!, { columns: true });
    expect(events.map(({ subject }) => subject)).toEqual(['first', 'last']);
    const changed = parse(objects[`${dayText(day)}/data-tables/${table.id}.csv`]!, { columns: true });
    expect(changed).toMatchObject([{ serial: 'old', updatedAt: new Date(day).toISOString() }]);
    expect(Object.keys(objects)).toHaveLength(2);
  });

  it('rejects days that are too recent or whose data has expired', async () => {
    const window = `${dayText(daysAgo(RETENTION_DAYS - 1))} to ${dayText(daysAgo(31))}`;
    for (const wrong of [Date.now() - 31 * DAY + 60_000, Date.now(), daysAgo(RETENTION_DAYS) - 1, 0]) {
      const { status, body } = await get(`archiveData?date=${wrong}`);
      expect(status).toBe(400);
      expect(body.message).toMatch(/^date must be within a day that is older than 31 days/);
      expect(body.message).toContain(window);
    }
    expect((await get(`archiveData?date=${daysAgo(RETENTION_DAYS - 1)}`)).status).toBe(202);
    await keepFor(30);
    expect((await get(`archiveData?date=${date}`)).body.message).toContain('there is no such day');
  });

  it.each([
    ['', 'date is required'],
    ['?date=', 'date is required'],
    ['?date=yesterday', 'date must be an integer, milliseconds since 1970'],
  ])('rejects a missing or invalid date: %j', async (query, message) => {
    const { status, body } = await get(`archiveData${query}`);
    expect([status, body.message]).toEqual([400, message]);
  });

  it('notifies the requesting user by email, including when the settings no longer work', async () => {
    const sealed = 'SELECT archive_secrets FROM applications WHERE id = $1';
    const [row] = await test.dataSource.query<{ archive_secrets: string }[]>(sealed, [id]);
    await done(`archiveData?date=${date}`);
    await test.dataSource.query(
      `UPDATE applications SET archive_config = jsonb_set(archive_config, '{s3,bucket}', '"gone-away"') WHERE id = $1`,
      [id],
    );
    await report(await makePump(), day);
    const { body } = await get(`archiveData?date=${date}`);
    const message = 'application.archiveConfig.s3.secretAccessKey is required when bucket changes';
    expect(await waitForOutcome(test, body.jobId)).toMatchObject({ status: 'errored', error: { message } });
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

describe('Archiving all eligible days', () => {
  it('archives the eligible days for which there can be data', async () => {
    await keepFor(34);
    await test.dataSource.query(`UPDATE applications SET creation_date = '2026-01-01' WHERE id = $1`, [id]);
    const pump = await makePump();
    await report(pump, ...[35, 34, 33, 32, 31, 30].map((days) => daysAgo(days)));
    const { progress } = await done('backfillArchiveData');
    // Days whose data is all still stored. The day 34 days ago is only complete at midnight.
    const expected = [33, 32, 31].map((days) => `${dayText(daysAgo(days))}/${pump.id}.csv`);
    expect(Object.keys(await archived()).sort()).toEqual(expected);
    expect(progress).toEqual({ completed: 3, total: 3, status: 'days archived' });
  });

  it('archives nothing when data is retained only as long as devices may report it', async () => {
    await keepFor(30);
    await done('backfillArchiveData');
    expect(await archived()).toEqual({});
  });

  it('resumes after the last day of the previous attempt', async () => {
    const pump = await makePump();
    const days = { first: daysAgo(42), last: daysAgo(40) };
    await report(pump, days.first, daysAgo(41), days.last);
    const told: object[] = [];
    const job = attempt({
      attempt: 2,
      state: { archived: 1 },
      progress: async (progress) => void told.push(progress),
    });
    await jobs().backfill({ applicationId: id, listeners: {}, days }, job);
    expect(Object.keys(await archived()).sort()).toEqual(
      [41, 40].map((ago) => `${dayText(daysAgo(ago))}/${pump.id}.csv`),
    );
    expect(told.at(-1)).toEqual({ completed: 3, total: 3, status: 'days archived' });
  });
});

describe('Changes during an archive', () => {
  const days = { first: daysAgo(42), last: daysAgo(40) };
  /** Archives days and makes a change after the first one has finished. */
  const archiveAnd = (change: () => Promise<unknown>) => {
    const progress: JobContext['progress'] = async ({ completed, status }) => {
      if (completed === 1 && status === 'days archived') await change();
    };
    return jobs().backfill({ applicationId: id, listeners: {}, days }, attempt({ progress }));
  };

  it.each([
    [
      'settings',
      () => test.client.patch(path, { archiveConfig: null }, options()),
      /archiveConfig is required/,
    ],
    ['application', () => test.client.delete(path, options()), /Application was not found/],
  ])('stop the archive when its %s is deleted, and nothing more is written', async (_, remove, message) => {
    await makePump();
    await expect(archiveAnd(remove)).rejects.toThrow(message);
    expect(Object.keys(await archived()).map((key) => key.split('/')[0])).toEqual([dayText(days.first)]);
  });

  it('stop an event archive when the application is deleted, and partial data replaces nothing', async () => {
    await makeEvent('first', days.first);
    const bound = { until: 'f'.repeat(24) };
    const progress: JobContext['progress'] = async ({ status }) => {
      if (status === '1 events') await test.client.delete(path, options());
    };
    const task = { applicationId: id, listeners: {}, ...bound };
    await expect(jobs().archiveEvents(task, attempt({ progress }))).rejects.toThrow(
      'Application was not found',
    );
    expect(await archived()).toEqual({});
  });

  it('skip a data table that is deleted and archive the others', async () => {
    const columns = [{ name: 'serial', dataType: 'string', constraint: 'optional' }];
    const make = () => makeDataTable(test, user.token, id, columns);
    const [first, second, third] = [await make(), await make(), await make()];
    const progress: JobContext['progress'] = async ({ status }) => {
      if (status === '1 data tables') await test.client.delete(`${path}/data-tables/${second.id}`, options());
    };
    await jobs().archiveTables({ applicationId: id, listeners: {} }, attempt({ progress }));
    expect(Object.keys(await archived()).sort()).toEqual(
      [first, third].map((table) => `full/data-tables/${table.id}.csv`).sort(),
    );
  });
});

describe('A full archive', () => {
  it('contains all events regardless of what the settings include', async () => {
    await makeEvent('long ago', daysAgo(500));
    await makeEvent('now', Date.now());
    const { progress } = await done('fullEventsArchive');
    expect(progress).toEqual({ completed: 1, total: 1, status: 'events archived' });
    const objects = await archived();
    expect(Object.keys(objects)).toEqual(['full/events.csv']);
    const events = parse<{ subject: string }>(objects['full/events.csv']!, { columns: true });
    expect(events.map(({ subject }) => subject)).toEqual(['long ago', 'now']);
  });

  it('contains all rows of the data tables that the settings select', async () => {
    const columns = [{ name: 'serial', dataType: 'string', constraint: 'optional' }];
    const make = () => makeDataTable(test, user.token, id, columns);
    const [first, second, third] = [await make(), await make(), await make()];
    await first.insert([{ serial: 'a' }, { serial: 'b' }]);
    await configure({ dataTablesMode: 'blacklist', dataTableIds: [third.id.toUpperCase()] });
    const { progress } = await done('fullDataTablesArchive');
    expect(progress).toEqual({ completed: 1, total: 1, status: 'data tables archived' });
    const objects = await archived();
    const key = (table: { id: string }) => `full/data-tables/${table.id}.csv`;
    expect(Object.keys(objects).sort()).toEqual([key(first), key(second)].sort());
    expect(parse(objects[key(first)]!, { columns: true })).toMatchObject([{ serial: 'a' }, { serial: 'b' }]);
    expect(objects[key(second)]).toBe('id,serial,createdAt,updatedAt\r\n');
  });
});

describe('Archive operations', () => {
  const operations = [
    'archiveData?date=1',
    'backfillArchiveData',
    'fullEventsArchive',
    'fullDataTablesArchive',
  ];

  it.each(operations)('return 400 for applications without archive settings: %s', async (operation) => {
    await test.client.patch(path, { archiveConfig: null }, options());
    const { status, body } = await get(operation);
    expect([status, body.message]).toEqual([400, 'application.archiveConfig is required to archive data']);
  });

  it.each(operations)('return 403 without write permission and 404 without access: %s', async (operation) => {
    const statusOf = async (token: string) =>
      (await test.client.get(`${path}/${operation}`, { token })).status;
    expect(await statusOf(tokenOf(test, user.id, ['all.User.read']))).toBe(403);
    expect(await statusOf((await makeUser(test)).token)).toBe(404);
  });
});
