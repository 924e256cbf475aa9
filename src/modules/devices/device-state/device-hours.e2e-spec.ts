import fc from 'fast-check';
import { suite } from '../../../../test/setup/suite.js';
import { Database } from '../../../platform/database/database.js';
import { Removal } from '../../../platform/holdings/removal.js';
import { newId } from '../../../platform/repositories/resource.js';
import { DeviceHoursRepository } from './device-hours.repository.js';
import { HOUR, HOUR_COLUMNS, hoursSql } from './device-hours.columns.js';
import { DeviceDataRetention } from './device-data-retention.js';
import { DAY, DevicePartitionsRepository, HOURS, POINTS } from './device-partitions.repository.js';
import { DevicePointsRepository } from './device-points.repository.js';
import type { StoredReport, Point } from './report-batch.js';

const { test, application } = suite({ PROCESS_ROLE: 'api' }, { database: 'own' });
const points = () => test.app.get(DevicePointsRepository, { strict: false });
const hours = () => test.app.get(DeviceHoursRepository, { strict: false });
const START = Math.floor(Date.now() / HOUR) * HOUR - 5 * HOUR;

const reportOf = (deviceId: string, of: readonly Point[]): StoredReport => ({
  applicationId: application.id,
  deviceId,
  points: of,
  payloads: 1,
  bytes: 1,
  channel: 'device.rest',
});
const foldAll = async () => {
  while ((await hours().aggregate(Number.MAX_SAFE_INTEGER, 7)) > 0);
};

interface Hour {
  device: string;
  attribute: number;
  hour: number;
  count: number;
}
const ORDER = (a: Hour, b: Hour) =>
  a.device.localeCompare(b.device) || a.attribute - b.attribute || a.hour - b.hour;

/** Returns the expected hours, calculated from the stored points. */
async function expected(): Promise<Hour[]> {
  const rows: any[] = await test.dataSource.query(
    'SELECT * FROM device_points WHERE application_id = $1 ORDER BY device_id, attribute, time',
    [application.id],
  );
  const grouped = new Map<string, any[]>();
  for (const row of rows) {
    const hour = Number(row.time) - (Number(row.time) % HOUR);
    const key = `${row.device_id} ${row.attribute} ${hour}`;
    grouped.set(key, [...(grouped.get(key) ?? []), row]);
  }
  return [...grouped]
    .map(([key, of]) => {
      const [device, attribute, hour] = key.split(' ');
      const numbers: number[] = of.map(({ number }) => number).filter((number) => number !== null);
      const sum = numbers.reduce((total, number) => total + number, 0);
      const mean = sum / numbers.length;
      const isNumber = numbers.length > 0;
      return {
        device: device!,
        attribute: Number(attribute),
        hour: Number(hour),
        count: of.length,
        firstTime: Number(of[0].time),
        lastTime: Number(of.at(-1).time),
        first: of[0].number,
        last: of.at(-1).number,
        min: isNumber ? Math.min(...numbers) : null,
        max: isNumber ? Math.max(...numbers) : null,
        sum: isNumber ? sum : null,
        squares: isNumber ? numbers.reduce((total, number) => total + (number - mean) ** 2, 0) : null,
      };
    })
    .sort(ORDER);
}

const shown = (rows: any[]): Hour[] =>
  rows
    .map(({ deviceId, attribute, hour, ...sums }) => ({ device: deviceId, attribute, hour, ...sums }))
    .sort(ORDER);

/** Compares all values exactly except the squares, which are calculated differently. */
function expectSame(actual: any[], wanted: readonly any[]): void {
  const within = (value: number | null, other: number | null | undefined) =>
    value !== null && Math.abs(value - (other ?? Number.NaN)) <= 1e-9 * Math.max(1, value) ? other : value;
  expect(actual).toEqual(
    wanted.map((hour, n) => ({ ...hour, squares: within(hour.squares, actual[n]?.squares) })),
  );
}

const stored = async () =>
  shown(
    await test.app.get(Database).rows({
      text: `SELECT device_id, attribute, hour, ${HOUR_COLUMNS} FROM device_hours WHERE application_id = $1`,
      values: [application.id],
    }),
  );
const read = async (devices: readonly string[]) => {
  const wanted =
    'SELECT d.device_id, a.attribute FROM unnest($2::text[]) d (device_id), generate_series(1, 3) a (attribute)';
  const text = hoursSql({ application: '$1', wanted, from: '$3', to: '$4' });
  const values = [application.id, devices, START - 30 * HOUR, START + 30 * HOUR];
  return shown(await test.app.get(Database).rows({ text, values }));
};

const times = fc.oneof(
  fc.integer({ min: 0, max: 3 * HOUR }),
  // Includes many identical times, and times at the boundaries of hours.
  fc.constantFrom(0, 1, HOUR - 1, HOUR, HOUR + 1, 2 * HOUR - 1, -26 * HOUR),
);
const point = fc
  .record({
    attribute: fc.integer({ min: 1, max: 3 }),
    time: times,
    number: fc.integer({ min: -1e6, max: 1e6 }),
  })
  .map(({ attribute, time, number }): Point => ({
    attribute,
    time: START + time,
    value: attribute === 3 ? `text ${number}` : number / 4,
  }));
const report = fc.record({ device: fc.nat(2), points: fc.array(point, { minLength: 1, maxLength: 12 }) });
/** Concurrent reports, combined with the calculation of hours or the deletion of points. */
const step = fc.record({
  reports: fc.array(report, { maxLength: 6 }),
  folds: fc.boolean(),
  removes: fc.option(times, { freq: 4 }),
});

it('Hourly sums match their points for any order of reports', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      const devices = [newId(), newId(), newId()];
      const received = new Map<string, Set<unknown>>();
      for (const { reports, folds, removes } of steps) {
        await Promise.all([
          ...reports.map(({ device, points: of }) => points().store([reportOf(devices[device]!, of)])),
          points().store(reports.map(({ device, points: of }) => reportOf(devices[device]!, of))),
          folds ? hours().aggregate(Number.MAX_SAFE_INTEGER, 3) : undefined,
        ]);
        for (const { device, points: of } of reports)
          for (const { attribute, time, value } of of) {
            const key = `${devices[device]} ${attribute} ${time}`;
            received.set(key, (received.get(key) ?? new Set()).add(value));
          }
        if (removes !== null) {
          const [from, to] = [START + removes, START + removes + HOUR];
          while (await points().removeBatch(application.id, devices[0]!, from, to));
          for (const key of received.keys()) {
            const [device, , time] = key.split(' ');
            if (device === devices[0] && Number(time) >= from && Number(time) <= to) received.delete(key);
          }
        }
        expectSame(
          await read(devices),
          (await expected()).filter(({ device }) => devices.includes(device)),
        );
      }
      // Each point is stored once, with one of the values received for it.
      const storedPoints: any[] = await test.dataSource.query(
        'SELECT * FROM device_points WHERE device_id = ANY ($1)',
        [devices],
      );
      expect(storedPoints.map((row) => `${row.device_id} ${row.attribute} ${row.time}`).sort()).toEqual(
        [...received.keys()].sort(),
      );
      for (const row of storedPoints)
        expect([...received.get(`${row.device_id} ${row.attribute} ${row.time}`)!]).toContain(
          row.number ?? row.text,
        );
      await checkLast(devices, storedPoints);
      await foldAll();
      expectSame(await stored(), await expected());
    }),
    { numRuns: 25 },
  );
  expect(await test.dataSource.query('SELECT FROM device_hours_due')).toEqual([]);
});

/** Checks that the newest value of each attribute is that of its newest point. */
async function checkLast(devices: readonly string[], storedPoints: readonly any[]): Promise<void> {
  const states: any[] = await test.dataSource.query(
    'SELECT * FROM device_states WHERE device_id = ANY ($1)',
    [devices],
  );
  for (const { device_id, last_values } of states) {
    const newest: Record<string, [number, unknown]> = {};
    for (const row of storedPoints.filter((one) => one.device_id === device_id)) {
      const time = Number(row.time);
      if (time > (newest[row.attribute]?.[0] ?? 0)) newest[row.attribute] = [time, row.number ?? row.text];
    }
    expect(last_values).toEqual(newest);
  }
}

it('Data is deleted after the retention period: first rows, then partitions that no owner retains', async () => {
  const partitions = test.app.get(DevicePartitionsRepository, { strict: false });
  const retention = new DeviceDataRetention(partitions, test.app.get(Removal, { strict: false }));
  const count = async () => {
    const [row] = await test.dataSource.query(
      'SELECT count(*)::int AS n FROM device_points WHERE application_id = $1',
      [application.id],
    );
    return row.n;
  };
  const now = Date.now();
  const device = newId();
  const ages = [0, 3, 20, 29];
  await points().store([
    reportOf(
      device,
      ages.map((age): Point => ({ attribute: 1, time: now - age * DAY, value: age })),
    ),
  ]);
  await foldAll();
  const before = await count();
  await retention.removeOld(now);
  expect(await count()).toBe(before);
  const keep = (days: number) =>
    test.dataSource.query(
      `UPDATE users SET limits = jsonb_build_object('dataTTL', $2::int) WHERE id = (SELECT owner_id FROM applications WHERE id = $1)`,
      [application.id, days * 86_400],
    );
  await keep(10);
  await retention.removeOld(now);
  expect(await count()).toBe(before - 2);
  expect((await partitions.list(POINTS)).some(({ to }) => to <= now - 28 * DAY)).toBe(true);
  await keep(1);
  const names = async () =>
    [...(await partitions.list(POINTS)), ...(await partitions.list(HOURS))].map(({ to }) => to);
  await retention.removeOld(now + 60 * DAY);
  expect(await names()).toEqual([]);
  await points().store([reportOf(device, [{ attribute: 1, time: now, value: 1 }])]);
  expect(await count()).toBe(1);
  await retention.removeOld(now);
  expect(await count()).toBe(1);
  await retention.onModuleDestroy();
});
