import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { HOUR, hoursSql } from '../src/modules/devices/device-state/device-hours.columns.js';
import { DeviceHoursRepository } from '../src/modules/devices/device-state/device-hours.repository.js';
import {
  DAY,
  DevicePartitionsRepository,
  POINTS,
} from '../src/modules/devices/device-state/device-partitions.repository.js';
import { DevicePointsRepository } from '../src/modules/devices/device-state/device-points.repository.js';
import type { StoredReport, Point } from '../src/modules/devices/device-state/report-batch.js';
import { createDataSource } from '../src/platform/database/data-source.js';
import { Database } from '../src/platform/database/database.js';
import { startEmbeddedPostgres } from '../src/platform/database/embedded-postgres.js';
import { cpuOf } from './cpu.js';

// Compares storing points with a plain PostgreSQL `COPY` of the same rows into an equivalent table, alternately, and
// measures reads. Times and CPU are specific to the run and the machine; their ratios are comparable.
const SETTINGS = { shared_buffers: '512MB', max_wal_size: '8GB' };
const log = { debug: () => undefined, warn: console.warn, error: console.error };

const { values } = parseArgs({ options: { points: { type: 'string', default: '1000000' } } });
const ATTRIBUTES = 10;
const BATCH = 10_000;
const DEVICES = 1_000;
const batches = Math.ceil(Number(values.points) / BATCH);
/** Number of batches that are copied, then stored, before the next ones. */
const BATCH_ROUND = Math.min(10, batches);

const APPLICATION = '03'.padEnd(24, '0');
const idOf = (device: number): string => `06${device.toString(16).padStart(22, '0')}`;
const START_TIME = Math.floor(Date.now() / DAY) * DAY - 2 * DAY;
const MINUTE = 60_000;

const reportOf = (device: number, points: Point[]): StoredReport => ({
  applicationId: APPLICATION,
  deviceId: idOf(device),
  points,
  payloads: points.length / ATTRIBUTES,
  bytes: 10 * points.length,
  channel: 'device.rest',
});
const valueOf = (n: number): number => ((n * 7_919) % 10_007) / 100;
const statesOf = (device: number, minute: number, states: number): Point[] =>
  Array.from({ length: states * ATTRIBUTES }, (_, n) => ({
    attribute: (n % ATTRIBUTES) + 1,
    time: START_TIME + (minute + Math.floor(n / ATTRIBUTES)) * MINUTE + device,
    value: valueOf(n + device + minute),
  }));

/** Mixes of reports, in batches of 10,000 points. */
const SHAPES: Readonly<Record<string, (batch: number) => StoredReport[]>> = {
  'reports of 1,000 points': (batch) =>
    Array.from({ length: 10 }, (_, n) => {
      const report = batch * 10 + n;
      return reportOf(report % DEVICES, statesOf(report % DEVICES, 100 * Math.floor(report / DEVICES), 100));
    }),
  'reports of 10 points, of 1,000 devices in turn': (batch) =>
    Array.from({ length: DEVICES }, (_, device) => reportOf(device, statesOf(device, batch, 1))),
};

/** Elapsed seconds, and CPU seconds of PostgreSQL and this process. */
interface Cost {
  time: number;
  cpu: number;
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const used = () => (cpuOf(postgresPid) ?? Number.NaN) + micros(process.cpuUsage());
  const [begin, before] = [performance.now(), used()];
  await work();
  return { time: (performance.now() - begin) / 1000, cpu: (used() - before) / 1e6 };
}
const micros = ({ user, system }: NodeJS.CpuUsage): number => user + system;
const timed = async (work: () => Promise<unknown>): Promise<number> => (await costOf(work)).time;

const seconds = (time: number): string => `${time.toFixed(2)} s`;
const megabytes = (): number => Math.round(process.memoryUsage.rss() / 1e6);

const COPY = 'COPY copied_points (device_id, application_id, attribute, time, number) FROM STDIN';
/** Converts reports to lines for `COPY`. */
const linesOf = (reports: readonly StoredReport[]): Buffer =>
  Buffer.from(
    reports
      .flatMap(({ deviceId, points }) =>
        points.map(
          ({ attribute, time, value }) => `${deviceId}\t${APPLICATION}\t${attribute}\t${time}\t${value}\n`,
        ),
      )
      .join(''),
  );

async function bench(database: Database): Promise<void> {
  const partitions = new DevicePartitionsRepository(database);
  const points = new DevicePointsRepository(database, partitions);
  const hours = new DeviceHoursRepository(database, partitions);
  const days = [0, 1, 2].map((day) => START_TIME + day * DAY);
  await partitions.createMissing(POINTS, days);
  await run(
    database,
    'CREATE TABLE copied_points (LIKE device_points INCLUDING ALL) PARTITION BY RANGE (time)',
  );
  for (const [i, day] of days.entries())
    await run(
      database,
      `CREATE TABLE copied_points_${i} PARTITION OF copied_points FOR VALUES FROM (${day}) TO (${day + DAY})`,
    );
  const fold = async () => {
    while ((await hours.aggregate(Date.now(), 500)) > 0);
  };
  console.log(
    `| ${batches * BATCH} points | COPY | stored | hours aggregated | total / COPY | CPU / COPY | memory |\n|---|---|---|---|---|---|---|`,
  );
  for (const [name, shape] of Object.entries(SHAPES)) {
    await empty(database);
    const costs = { copied: [] as Cost[], stored: [] as Cost[], folded: [] as Cost[] };
    const memory: number[] = [];
    for (let from = 0; from < batches; from += BATCH_ROUND) {
      const reports = Array.from({ length: Math.min(BATCH_ROUND, batches - from) }, (_, i) =>
        shape(from + i),
      );
      const lines = reports.map(linesOf);
      costs.copied.push(
        await costOf(() =>
          database.transaction(async (transaction) => {
            for (const batch of lines) await transaction.copy(COPY, batch);
          }),
        ),
      );
      costs.stored.push(
        await costOf(async () => {
          for (const batch of reports) await points.store(batch);
        }),
      );
      memory.push(megabytes());
    }
    costs.folded.push(await costOf(fold));
    const sum = (of: readonly Cost[], what: keyof Cost) => of.reduce((total, cost) => total + cost[what], 0);
    const ratio = (what: keyof Cost) =>
      ((sum(costs.stored, what) + sum(costs.folded, what)) / sum(costs.copied, what)).toFixed(2);
    const times = [costs.copied, costs.stored, costs.folded].map((of) => seconds(sum(of, 'time')));
    const min = Math.min(...memory.slice(Math.floor(memory.length / 5)));
    const columns = [name, ...times, ratio('time'), ratio('cpu'), `${min} to ${Math.max(...memory)} MB`];
    console.log(`| ${columns.join(' | ')} |`);
  }
  await empty(database);
  await read(database, partitions, hours);
}

/** Deletes all stored and copied points. */
const empty = (database: Database) =>
  run(
    database,
    'TRUNCATE device_points, copied_points, device_hours, device_hours_due, device_states, payload_deltas',
  );

/** Reads 31 days of 10 attributes with four points per hour, for as many devices as the number of points allows. */
async function read(
  database: Database,
  partitions: DevicePartitionsRepository,
  hours: DeviceHoursRepository,
): Promise<void> {
  const begin = START_TIME - 29 * DAY;
  const devices = Math.max(1, Math.floor((batches * BATCH) / (31 * 24 * 4 * ATTRIBUTES)));
  for (let day = 0; day < 31; day++) await partitions.createMissing(POINTS, [begin + day * DAY]);
  for (let device = 0; device < devices; device++)
    await run(
      database,
      `WITH s AS (INSERT INTO device_states (device_id, application_id, attributes, last_values)
          SELECT '${idOf(device)}', '${APPLICATION}', array_agg(a), jsonb_object_agg(a, '[0]'::jsonb) FROM generate_series(1, ${ATTRIBUTES}) a),
        h AS (INSERT INTO device_hours_due SELECT ${begin} + h * ${HOUR}::bigint, '${APPLICATION}', '${idOf(device)}' FROM generate_series(0, 743) h)
       INSERT INTO device_points (application_id, device_id, attribute, time, number)
       SELECT '${APPLICATION}', '${idOf(device)}', a, ${begin} + n * ${15 * MINUTE}::bigint, n % 97
       FROM generate_series(0, 2975) n, generate_series(1, ${ATTRIBUTES}) a`,
    );
  const folded = await timed(async () => {
    while ((await hours.aggregate(Date.now(), 500)) > 0);
  });
  const of = (count: number) => Array.from({ length: count }, (_, device) => idOf(device));
  const day = `SELECT p.time, p.number FROM device_points p WHERE p.application_id = $1 AND p.device_id = ANY ($2)
    AND p.attribute = 1 AND p.time >= $3 AND p.time < $4`;
  const wanted = 'SELECT w.device_id, 1 AS attribute FROM unnest($2::text[]) w (device_id)';
  const month = hoursSql({ application: '$1', wanted, from: '$3', to: '$4' });
  console.log(
    `\n31 days of ${devices} devices with ${ATTRIBUTES} attributes, four points per hour; aggregated in ${seconds(folded)}.\n`,
  );
  console.log('| read | rows | time |\n| --- | --- | --- |');
  for (const count of [1, devices])
    for (const [name, text, from, to] of [
      ['a day', day, begin + 10 * DAY, begin + 11 * DAY],
      ['a month of hourly values', month, begin, begin + 31 * DAY],
    ] as const) {
      let rows = 0;
      const statement = { text, values: [APPLICATION, of(count), from, to] };
      const times: number[] = [];
      for (let round = 0; round < 5; round++)
        times.push(await timed(async () => (rows = (await database.run(statement)).length)));
      const median = times.sort((a, b) => a - b)[2]! * 1000;
      console.log(`| ${name}, one attribute of ${count} | ${rows} | ${median.toFixed(1)} ms |`);
    }
}

const run = (database: Database, text: string) => database.run({ text, values: [] });

const dataDir = await mkdtemp(join(tmpdir(), 'fieldwright-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir, log, settings: SETTINGS });
const postgresPid = Number.parseInt(
  await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8'),
  10,
);
const dataSource = await createDataSource({ url: postgres.socketUrl }).initialize();
try {
  await dataSource.runMigrations();
  await dataSource.query(
    `INSERT INTO applications (id, creation_date, last_updated, owner_id, owner_type, name, globals, blob_url_ttl, endpoint_default_cors)
     VALUES ($1, now(), now(), $1, 'user', 'Benchmark', '[]', 86400, true)`,
    [APPLICATION],
  );
  await bench(new Database(dataSource));
} finally {
  await dataSource.destroy();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
