import { waitForOutcome } from '../../../../test/make/exports.js';
import { mailsTo } from '../../../../test/doubles/mails.js';
import { makeDevice as makeAnyDevice } from '../../../../test/make/device-tokens.js';
import { makeApplication, makeMember, makeOrg } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';
import { DeviceHoursRepository } from '../device-state/device-hours.repository.js';

const { test, user, application } = suite({}, { database: 'own' });
const HOUR = 3_600_000;
const ATTRIBUTES = [
  { name: 'pressure', dataType: 'number' },
  { name: 'state', dataType: 'string' },
];

let base: string;
let pump: any;
/** Start of an hour that has ended. */
let hour: number;
beforeEach(async () => {
  base = `/applications/${application.id}/devices`;
  hour = Math.floor(Date.now() / HOUR) * HOUR - 5 * HOUR;
  pump = await makeDevice('Pump');
});

const makeDevice = (name: string, of = application): Promise<any> =>
  makeAnyDevice(test, user.token, of.id, { name, attributes: ATTRIBUTES });
/** Reports both attributes at the given minutes of the hour. */
async function report(device: any, ...minutes: number[]): Promise<void> {
  const states = minutes.map((minute) => ({
    time: hour + minute * 60_000,
    data: { pressure: minute, state: `at ${minute}` },
  }));
  const answer = await test.client.post(`${base}/${device.id}/state`, states, { token: user.token });
  expect(answer.status).toBe(200);
}
const points = (device: any): Promise<{ attribute: number; minute: number }[]> =>
  test.dataSource.query(
    `SELECT attribute, ((time - $2) / 60000)::int AS minute FROM device_points WHERE device_id = $1 ORDER BY attribute, time`,
    [device.id, hour],
  );
/** Stores a command and a connection at the start of the hour. */
async function keepHistory(device: any): Promise<void> {
  const values = [device.applicationId, device.id, new Date(hour)];
  await test.dataSource.query(
    `INSERT INTO device_commands (id, application_id, device_id, time, name) VALUES ($2, $1, $2, $3, 'go')`,
    values,
  );
  await test.dataSource.query(
    `INSERT INTO device_connections (id, application_id, device_id, time, connected) VALUES ($2, $1, $2, $3, 1)`,
    values,
  );
}
const historyOf = async (device: any): Promise<number[]> =>
  Promise.all(
    ['device_commands', 'device_connections'].map(async (table) => {
      const [row] = await test.dataSource.query(
        `SELECT count(*)::int AS n FROM ${table} WHERE device_id = $1`,
        [device.id],
      );
      return row.n as number;
    }),
  );
const minutesOf = async (device: any, attribute = 1) =>
  (await points(device)).filter((point) => point.attribute === attribute).map(({ minute }) => minute);
const removeOf = (device: any, query = '', token = user.token) =>
  test.client.delete(`${base}/${device.id}/data${query}`, { token });
const removeOfAll = (body: object) => test.client.post(`${base}/removeData`, body, { token: user.token });
async function done({ status, body }: { status: number; body: any }): Promise<void> {
  expect([status, body]).toEqual([202, { success: true, jobQueued: true, jobId: expect.any(String) }]);
  expect(await waitForOutcome(test, body.jobId)).toMatchObject({ status: 'completed' });
}

describe('Deletion of the data of a device', () => {
  it('deletes all values, including the last values', async () => {
    await report(pump, 1, 2, 61);
    await keepHistory(pump);
    await done(await removeOf(pump));
    expect(await points(pump)).toEqual([]);
    expect(await historyOf(pump)).toEqual([0, 0]);
    const [{ last_values: last }] = await test.dataSource.query(
      'SELECT last_values FROM device_states WHERE device_id = $1',
      [pump.id],
    );
    expect(last).toEqual({});
    await done(await removeOf(pump));
  });

  it('deletes only the time range of that device; hourly sums and last values reflect the remaining data', async () => {
    const valve = await makeDevice('Valve');
    for (const device of [pump, valve]) await report(device, 1, 2, 30, 61, 62);
    const hours = test.app.get(DeviceHoursRepository);
    while ((await hours.aggregate(hour + HOUR, 1_000)) > 0);
    await done(await removeOf(pump, `?start=${hour + 2 * 60_000}&end=${hour + 62 * 60_000}`));
    expect(await minutesOf(pump)).toEqual([1, 62]);
    expect(await minutesOf(valve)).toEqual([1, 2, 30, 61, 62]);
    while ((await hours.aggregate(hour + HOUR, 1_000)) > 0);
    const sums = await test.dataSource.query(
      'SELECT hour::text, count, sum FROM device_hours WHERE device_id = $1 AND attribute = 1 ORDER BY hour',
      [pump.id],
    );
    expect(sums).toEqual([
      { hour: String(hour), count: 1, sum: 1 },
      { hour: String(hour + HOUR), count: 1, sum: 62 },
    ]);

    await done(await removeOf(pump, `?start=${hour + 62 * 60_000}`));
    const [{ last_values: last }] = await test.dataSource.query(
      'SELECT last_values FROM device_states WHERE device_id = $1',
      [pump.id],
    );
    expect(last['1']).toEqual([hour + 60_000, 1]);
  });

  it.each([
    ['?start=5&end=5', 'end must be later than start'],
    ['?end=soon', 'end must be an integer'],
  ])('returns 400 for the time range %s', async (query, message) => {
    const answer = await removeOf(pump, query);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)]);
  });

  it('returns 404 for a device that does not exist or belongs to another application', async () => {
    expect((await removeOf({ id: newId() })).status).toBe(404);
    const other = await makeApplication(test, user.token);
    base = `/applications/${other.id}/devices`;
    expect((await removeOf(pump)).body.message).toBe('Device was not found');
  });

  it('requires the role collaborate and is recorded in the audit log', async () => {
    const { id: orgId } = await makeOrg(test, user.token);
    const owned = await makeApplication(test, user.token, { orgId });
    base = `/applications/${owned.id}/devices`;
    pump = await makeDevice('Pump', owned);
    const viewer = await makeMember(test, orgId, 'view');
    expect((await removeOf(pump, '', viewer.token)).status).toBe(403);
    await done(await removeOf(pump));
    const entries = await test.dataSource.query(
      `SELECT secondary_target_id FROM audit_logs WHERE org_id = $1 AND request_action = 'removeData'`,
      [orgId],
    );
    expect(entries).toEqual([{ secondary_target_id: pump.id }]);
  });
});

describe('Deletion of the data of several devices', () => {
  it('keeps the requested histories and data outside the time range', async () => {
    await keepHistory(pump);
    await done(await removeOfAll({ query: {}, keepCommandHistory: true, keepConnectionHistory: true }));
    expect(await historyOf(pump)).toEqual([1, 1]);
    await done(await removeOfAll({ query: {}, keepCommandHistory: true }));
    expect(await historyOf(pump)).toEqual([1, 0]);
    await done(await removeOfAll({ query: {}, start: hour + 1 }));
    expect(await historyOf(pump)).toEqual([1, 0]);
  });

  it('deletes only the requested attributes of the matching devices', async () => {
    const valve = await makeDevice('Valve');
    for (const device of [pump, valve]) await report(device, 1, 2);
    await done(await removeOfAll({ query: { name: 'Pump' }, attributes: ['state', 'none'] }));
    expect([await minutesOf(pump, 1), await minutesOf(pump, 2)]).toEqual([[1, 2], []]);
    expect([await minutesOf(valve, 1), await minutesOf(valve, 2)]).toEqual([
      [1, 2],
      [1, 2],
    ]);
    const [mail] = await mailsTo(test, user.email);
    expect(mail).toMatchObject({ subject: 'The removal of the data of devices is done' });
    await done(await removeOfAll({ query: {}, attributes: null, end: hour + 2 * 60_000 }));
    expect([await minutesOf(pump), await minutesOf(valve)]).toEqual([[2], [2]]);
  });

  it('continues through many batches', async () => {
    await report(pump, 1);
    await test.dataSource.query(
      `INSERT INTO device_points (application_id, device_id, attribute, time, number)
       SELECT $1, $2, 1, $3::bigint + n, n FROM generate_series(1, 12000) n ON CONFLICT DO NOTHING`,
      [application.id, pump.id, hour],
    );
    await done(await removeOfAll({ query: { id: pump.id } }));
    expect(await points(pump)).toEqual([]);
  });

  it.each<[object, string]>([
    [{}, 'devicesRemoveDataPost.query is required'],
    [{ query: { name: { $gtx: 1 } } }, 'devicesRemoveDataPost.query.name'],
    [{ query: {}, attributes: ['a b'] }, 'devicesRemoveDataPost.attributes.0'],
    [{ query: {}, start: 3, end: 2 }, 'devicesRemoveDataPost.end must be later'],
    [
      { query: {}, callbackUrl: 'https://127.0.0.1/' },
      'devicesRemoveDataPost.callbackUrl must be an https URL',
    ],
  ])('returns 400 for %j', async (body, message) => {
    const answer = await removeOfAll(body);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)]);
  });
});
