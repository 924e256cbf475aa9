import type pg from 'pg';
import { HOUR } from '../src/modules/devices/device-state/device-hours.columns.js';
import {
  DAY,
  DevicePartitionsRepository,
  HOURS,
  POINTS,
} from '../src/modules/devices/device-state/device-partitions.repository.js';
import { createDataSource } from '../src/platform/database/data-source.js';
import { Database } from '../src/platform/database/database.js';

export const ATTRIBUTES = 10;
export const DAYS = 31;
/** Number of devices that share a tag, and number that share a name prefix, whatever the total. */
export const ALIKE = 100;
const EVERY = 15 * 60_000;
/** Start of the days that have hourly data; the last day also has points. */
export const START_TIME = Math.floor(Date.now() / DAY) * DAY - DAYS * DAY;
export const LAST_DAY = START_TIME + (DAYS - 1) * DAY;

/** Applications by their purpose, with the prefix of their device IDs. */
const KINDS = { few: 'a1', many: 'a2', reporting: 'a3' } as const;
export const idOf = (kind: keyof typeof KINDS, device: number): string =>
  KINDS[kind] + device.toString(16).padStart(22, '0');
const sqlId = (kind: string, i: string) => `'${kind}' || lpad(to_hex(${i}), 22, '0')`;

const DEVICES = `INSERT INTO devices (id, creation_date, last_updated, application_id, name, tags, attributes, device_class,
    keep_duplicates, attribute_numbers, next_attribute_number)
  SELECT $1 || lpad(to_hex(i), 22, '0'), now(), now(), $2, 'Device ' || lpad(i::text, 8, '0'),
    jsonb_build_array(jsonb_build_object('key', 'site', 'value', 'site-' || i % greatest($3::int / ${ALIKE}, 1))),
    $4::jsonb, 'standalone', true, $5::jsonb, 100
  FROM generate_series(0, $3::int - 1) i`;

/** Seeds the devices of an application, with attributes `a1`, `a2` and so on. */
export async function seedDevices(
  client: pg.Client,
  kind: keyof typeof KINDS,
  applicationId: string,
  count: number,
): Promise<void> {
  const numbers = Array.from({ length: kind === 'reporting' ? ATTRIBUTES : 1 }, (_, i) => i + 1);
  const attributes = numbers.map((number) => ({ name: `a${number}`, dataType: 'number' }));
  const numbered = Object.fromEntries(numbers.map((number) => [`a${number}`, number]));
  await client.query(DEVICES, [
    KINDS[kind],
    applicationId,
    count,
    JSON.stringify(attributes),
    JSON.stringify(numbered),
  ]);
}

const OF_REPORTING = `generate_series(0, $2::int - 1) d, generate_series(1, ${ATTRIBUTES}) a`;
const STATES = `INSERT INTO device_states (device_id, application_id, attributes, newest, last_values)
  SELECT ${sqlId(KINDS.reporting, 'd')}, $1, array_agg(a), $3, jsonb_object_agg(a, jsonb_build_array($3::bigint, d + a / 10.0))
  FROM ${OF_REPORTING} GROUP BY d`;
const REPORTED = `INSERT INTO device_points (device_id, application_id, attribute, time, number)
  SELECT ${sqlId(KINDS.reporting, 'd')}, $1, a, $3 + n * ${EVERY}::bigint, (n * 7919 + d) % 997 / 10.0
  FROM ${OF_REPORTING}, generate_series(0, ${DAY / EVERY - 1}) n`;
const TOTALS = `INSERT INTO device_hours (device_id, application_id, attribute, hour, count, first_time, last_time, first, last,
    min, max, sum, squares)
  SELECT ${sqlId(KINDS.reporting, 'd')}, $1, a, h.hour, 4, h.hour, h.hour + 3 * ${EVERY}, 1, 4, 1, 4, 10, 5
  FROM ${OF_REPORTING}, LATERAL (SELECT $3 + n * ${HOUR}::bigint AS hour FROM generate_series(0, ${(DAYS * DAY) / HOUR - 1}) n) h`;

/** Seeds the data that devices have reported, in the form it has once hours are aggregated. */
export async function seedReports(
  client: pg.Client,
  url: string,
  applicationId: string,
  devices: number,
): Promise<void> {
  const dataSource = await createDataSource({ url }).initialize();
  const partitions = new DevicePartitionsRepository(new Database(dataSource));
  const days = Array.from({ length: DAYS + 1 }, (_, day) => START_TIME + day * DAY);
  for (const parted of [POINTS, HOURS]) await partitions.createMissing(parted, days);
  await dataSource.destroy();
  const newest = LAST_DAY + DAY - EVERY;
  for (const [text, time] of [
    [STATES, newest],
    [REPORTED, LAST_DAY],
    [TOTALS, START_TIME],
  ] as const)
    await client.query(text, [applicationId, devices, time]);
}
