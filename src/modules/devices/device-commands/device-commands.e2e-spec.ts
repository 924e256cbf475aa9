import { EventReader } from '../../../../test/doubles/event-reader.js';
import { makeDevice as makeAnyDevice } from '../../../../test/make/device-tokens.js';
import { makeApplication, tokenOf } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { newId } from '../../../platform/repositories/resource.js';
import { MAX_PAYLOAD_BYTES } from './device-command.schemas.js';
import { DeviceCommandsRetention } from './device-commands-retention.js';
import { MAX_SYNC_DEVICES } from './device-commands.service.js';

const { test, user, application } = suite();
let devices: string;
let own: string;
let deviceId: string;

beforeEach(async () => {
  devices = `/applications/${application.id}/devices`;
  deviceId = await makeDevice();
  own = `${devices}/${deviceId}/command`;
});

const makeDevice = async (more: object = {}, of = application): Promise<string> =>
  (await makeAnyDevice(test, user.token, of.id, { name: 'Valve', ...more })).id;

const send = (body: object, path = own, token = user.token) => test.client.post(path, body, { token });
const history = async (query = '', path = own) =>
  (await test.client.get(path + query, { token: user.token })).body;
const names = async (query = '?limit=1000', path = own) =>
  (await history(query, path)).map(({ name }: { name: string }) => name);
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

describe('Command to a device', () => {
  it('is stored and sent to the clients of the command stream', async () => {
    const token = tokenOf(test, user.id, ['device.commandStream']);
    const reader = await EventReader.open(`${test.client.url}${own}Stream`, token);
    expect(await send({ name: 'open', payload: { percent: 40, by: null } })).toMatchObject({
      status: 200,
      body: { success: true },
    });
    await send({ name: 'close', payload: null });
    await send({ name: 'rest' });
    const told = await reader.reads(3);
    reader.close();
    const kept = await history('?limit=3&sortDirection=asc');
    expect(kept).toEqual([
      { name: 'open', time: expect.any(String), payload: { percent: 40, by: null } },
      { name: 'close', time: expect.any(String) },
      { name: 'rest', time: expect.any(String) },
    ]);
    expect(told.map(({ event, data }) => [event, data])).toEqual(
      kept.map((command: object) => ['deviceCommand', command]),
    );
    expect(await names('')).toEqual(['rest']);
  });

  it('is stored with the time in its body', async () => {
    const hour = 3_600_000;
    const time = Math.floor(Date.now() / 1000) - 60;
    await send({ name: 'iso', time: ago(hour) });
    await send({ name: 'seconds', time });
    await send({ name: 'ago', time: -2 * hour });
    await send({ name: 'date', time: { $date: ago(3 * hour) } });
    await send({ name: 'never', time: 'yesterday' });
    await send({ name: 'long ago', time: '1999-01-01' });
    const kept = await history('?limit=6');
    expect(kept.map(({ name }: { name: string }) => name)).toEqual([
      'long ago',
      'never',
      'seconds',
      'iso',
      'ago',
      'date',
    ]);
    expect(kept[2].time).toBe(new Date(time * 1000).toISOString());
  });

  it('is found by its time', async () => {
    const now = Date.now();
    for (const n of [1, 2, 3, 4]) await send({ name: String(n), time: now - n * 60_000 });
    const minutes = (n: number) => now - n * 60_000;
    expect(await names('?limit=2')).toEqual(['1', '2']);
    expect(await names(`?limit=9&since=${minutes(3)}`)).toEqual(['1', '2']);
    expect(await names(`?limit=9&start=${minutes(3)}&sortDirection=asc`)).toEqual(['3', '2', '1']);
    expect(await names(`?limit=9&start=${minutes(3)}&end=${minutes(2)}`)).toEqual(['2', '3']);
    expect(await names(`?limit=9&end=${minutes(2)}&duration=60000`)).toEqual(['2', '3']);
    expect(await names(`?limit=9&duration=150000`)).toEqual(['1', '2']);
    expect(await names(`?limit=9&end=${minutes(9)}`)).toEqual([]);
  });

  it.each([
    [{}, 'deviceCommand.name is required'],
    [{ name: '' }, 'deviceCommand.name must have at least 1 characters'],
    [{ name: 'a'.repeat(256) }, 'deviceCommand.name must have at most 255 characters'],
    [{ name: 'a', more: 1 }, 'deviceCommand.more is not a property of deviceCommand'],
    [
      { name: 'a', payload: 'x'.repeat(MAX_PAYLOAD_BYTES - 1) },
      'deviceCommand.payload must have at most 256 KiB as JSON',
    ],
  ])('is rejected with 400 for %.60j', async (body, message) => {
    expect((await send(body)).body).toEqual({ type: 'Validation', message });
    expect(await history()).toEqual([]);
  });

  it.each(['limit=0', 'limit=1001', 'sortDirection=up', 'since=x', 'duration=-1', 'end=soon'])(
    'is not listed with %s',
    async (query) => {
      expect((await test.client.get(`${own}?${query}`, { token: user.token })).status).toBe(400);
    },
  );

  it('returns 404 if the device does not exist, is deleted or belongs to another application', async () => {
    const elsewhere = await makeApplication(test, user.token);
    const lost = [
      `${devices}/${newId()}/command`,
      `/applications/${elsewhere.id}/devices/${deviceId}/command`,
    ];
    const missing = { type: 'NotFound', message: 'Device was not found' };
    for (const path of lost) {
      expect((await send({ name: 'open' }, path)).body).toEqual(missing);
      expect(await history('', path)).toEqual(missing);
    }
    await test.client.delete(`${devices}/${deviceId}`, { token: user.token });
    expect((await send({ name: 'open' })).status).toBe(404);
    expect(await history()).toEqual(missing);
  });

  it.each([
    [undefined, 401, 401],
    ['device.getCommand', 403, 200],
    ['device.sendCommand', 200, 403],
    ['device.*', 200, 200],
    ['all.Device.read', 403, 200],
    ['all.Device', 200, 200],
  ])('with the scope %s returns %i when sent and %i when listed', async (scope, sent, read) => {
    const token = scope && tokenOf(test, user.id, [scope]);
    expect((await test.client.post(own, { name: 'open' }, { token })).status).toBe(sent);
    expect((await test.client.get(own, { token })).status).toBe(read);
  });

  it('is deleted when it is older than the retention period of the owner, while newer ones are kept', async () => {
    await send({ name: 'old', time: ago(2 * 86_400_000) });
    await send({ name: 'young' });
    const retention = test.app.get(DeviceCommandsRetention, { strict: false });
    await retention.removeOld();
    expect(await names()).toEqual(['young', 'old']);
    await test.dataSource.query(`UPDATE users SET limits = '{"dataTTL": 86400}' WHERE id = $1`, [user.id]);
    await retention.removeOld();
    expect(await names()).toEqual(['young']);
  });
});

describe('The commands of a device', () => {
  it('are limited in size, and one is returned regardless of its size', async () => {
    await test.dataSource.query(
      `INSERT INTO device_commands (id, application_id, device_id, time, name, payload)
       SELECT left(md5($2 || n), 24), $1, $2, now(), 'open', to_json(repeat('x', $3)) FROM generate_series(1, 80) n`,
      [application.id, deviceId, MAX_PAYLOAD_BYTES],
    );
    const { status, body } = await test.client.get(`${own}?limit=1000`, { token: user.token });
    expect([status, body]).toEqual([
      400,
      {
        type: 'Validation',
        message: 'limit exceeds the maximum response size: at most 63 of these items fit',
      },
    ]);
    expect(await history('?limit=63')).toHaveLength(63);
  });
});

describe('Command to several devices', () => {
  const sendToMany = (body: object, token = user.token) =>
    test.client.post(`${devices}/command`, { name: 'open', ...body }, { token });
  const reached = async () => {
    const rows: { id: string }[] = await test.dataSource.query(
      'SELECT device_id AS id FROM device_commands WHERE application_id = $1 ORDER BY device_id',
      [application.id],
    );
    return rows.map(({ id }) => id);
  };

  it('reaches each device selected by IDs, tags or query once', async () => {
    const north = await makeDevice({ tags: [{ key: 'site', value: 'north' }] });
    const south = await makeDevice({ tags: [{ key: 'site', value: 'south' }] });
    const elsewhere = await makeApplication(test, user.token);
    const foreign = await makeDevice({}, elsewhere);
    expect(await sendToMany({ deviceIds: [deviceId, foreign, newId()] })).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect(await reached()).toEqual([deviceId]);
    await sendToMany({ deviceTags: [{ key: 'site' }, { value: 'north' }] });
    expect(await reached()).toEqual([deviceId, north, south]);
    await sendToMany({ deviceQuery: { id: south } });
    await sendToMany({});
    expect(await reached()).toEqual([deviceId, north, south, south]);
    const counted: { n: string; devices: string }[] = await test.dataSource.query(
      `SELECT sum(n) AS n, count(DISTINCT device_id) AS devices FROM payload_deltas
       WHERE application_id = $1 AND type = 'deviceCommand'`,
      [application.id],
    );
    const summed: { n: string | null }[] = await test.dataSource.query(
      `SELECT sum(n) AS n FROM application_payload_sums WHERE application_id = $1 AND type = 'deviceCommand' AND device_id <> ''`,
      [application.id],
    );
    expect(Number(counted[0]!.n ?? 0) + Number(summed[0]!.n ?? 0)).toBeGreaterThanOrEqual(4);
  });

  it('is sent by a job to many devices, and reaches each of them once', async () => {
    await test.dataSource.query(
      `INSERT INTO devices (id, application_id, name, tags, attributes, device_class, keep_duplicates, creation_date, last_updated)
       SELECT lpad(to_hex(n), 24, '0'), $1, 'Many', '[]', '[]', 'standalone', false, now(), now() FROM generate_series(1, $2) n
       ON CONFLICT DO NOTHING`,
      [application.id, MAX_SYNC_DEVICES],
    );
    const { status, body } = await sendToMany({ deviceQuery: { deviceClass: 'standalone' } });
    expect({ status, body }).toEqual({
      status: 202,
      body: { success: true, jobQueued: true, jobId: expect.any(String) },
    });
    await waitUntil(async () => (await reached()).length === MAX_SYNC_DEVICES + 1);
    expect(new Set(await reached()).size).toBe(MAX_SYNC_DEVICES + 1);
  });

  it.each([
    [{ name: '' }, 'multiDeviceCommand.name must have at least 1 characters'],
    [{ deviceIds: ['x'] }, 'multiDeviceCommand.deviceIds.0 must match the pattern'],
    [{ deviceQuery: { nothing: 1 } }, 'deviceQuery.nothing'],
  ])('is rejected with 400 for %j', async (body, message) => {
    const answer = await sendToMany(body);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(message);
  });
});
