import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import type { Answer } from '../../../../test/contract/client.js';
import { makeDevice as makeAnyDevice } from '../../../../test/make/device-tokens.js';
import { download, waitForOutcome, mailedLink } from '../../../../test/make/exports.js';
import { makeApplication, makeUser, tokenOf } from '../../../../test/make/make.js';
import { S3_ENVIRONMENT, startS3Server, type S3Server } from '../../../../test/doubles/s3-server.js';
import { suite } from '../../../../test/setup/suite.js';
import { unzipped } from '../../../../test/make/zip-files.js';
import { newId } from '../../../platform/repositories/resource.js';
import { ExportedDevicesRepository } from './exported-devices.repository.js';

const DAY = Date.parse('2026-01-05T00:00:00Z');
const NORTH = { key: 'site', value: 'north' };

let s3: S3Server;
const before = { ...process.env };
const env: Record<string, string> = { EXPORT_INTERVAL: '300' };
beforeAll(async () => {
  s3 = await startS3Server('fieldwright');
  Object.assign(process.env, S3_ENVIRONMENT);
  Object.assign(env, { BLOB_URL: 's3://fieldwright', S3_ENDPOINT: s3.endpoint });
});
afterAll(async () => {
  for (const name of Object.keys(S3_ENVIRONMENT)) {
    if (before[name] === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = before[name];
  }
  await s3.close();
});
const { test, user, application } = suite(env, { database: 'own', retries: false });

beforeAll(() =>
  test.dataSource.query(
    `CREATE TABLE device_points_tested PARTITION OF device_points FOR VALUES FROM (${DAY}) TO (${DAY + 86_400_000})`,
  ),
);

let pump: any;
let valve: any;
beforeEach(async () => {
  pump = await makeDevice({
    name: 'Pump',
    description: '@home',
    tags: [NORTH, { key: 'site', value: 'upper' }],
    attributes: [
      { name: 'pressure', dataType: 'number' },
      { name: 'state', dataType: 'string' },
    ],
  });
  valve = await makeDevice({
    name: 'Valve, main',
    tags: [{ key: 'kind', value: '=v' }],
    attributes: [
      { name: 'open', dataType: 'boolean' },
      { name: 'state', dataType: 'number' },
    ],
  });
  await report(pump, 1, 1, 'number');
  await report(pump, 2, 'ready', 'text');
  await report(valve, 1, true, 'boolean');
  await report(valve, 2, 5, 'number');
});

const makeDevice = (body: object, at = application.id): Promise<any> =>
  makeAnyDevice(test, user.token, at, body);

const report = (device: any, attribute: number, value: unknown, column: string) =>
  test.dataSource.query(
    `INSERT INTO device_points (application_id, device_id, attribute, time, ${column}) VALUES ($1, $2, $3, $4, $5)`,
    [device.applicationId, device.id, attribute, DAY + attribute * 1000, value],
  );

const asked = (path: string, body?: object) =>
  test.client.request('POST', `/applications/${application.id}/${path}`, { token: user.token, body });
const ask = (kind: 'data' | 'devices', body?: object, query = '') => asked(`${kind}/export${query}`, body);
async function exported(kind: 'data' | 'devices', body?: object): Promise<Buffer> {
  return fileOf(await ask(kind, body));
}
async function fileOf(answer: Answer): Promise<Buffer> {
  expect(answer.body).toMatchObject({ success: true, jobQueued: true });
  expect(await waitForOutcome(test, answer.body.jobId)).toMatchObject({ status: 'completed' });
  const response = await download(test, await mailedLink(test, user.email));
  expect(response.status).toBe(200);
  return buffer(Readable.fromWeb(response.body as any));
}
const lines = async (body: object) => (await exported('data', body)).toString().split('\r\n');

describe('Export of the data of devices', () => {
  it('contains the rows of each device with its ID and name', async () => {
    const other = await makeApplication(test, user.token);
    const elsewhere = await makeDevice({ name: 'Other' }, other.id);
    const ids = [valve.id.toUpperCase(), pump.id, elsewhere.id, newId()];
    const valveRow = `${valve.id},"Valve, main"`;
    expect(await lines({ deviceIds: ids })).toEqual([
      'Device ID,Device Name,Timestamp,ISO Date,pressure,state,open',
      `${pump.id},Pump,${DAY + 1000},"2026-01-05T00:00:01.000Z",1,,`,
      `${pump.id},Pump,${DAY + 2000},"2026-01-05T00:00:02.000Z",,ready,`,
      `${valveRow},${DAY + 1000},"2026-01-05T00:00:01.000Z",,,true`,
      `${valveRow},${DAY + 2000},"2026-01-05T00:00:02.000Z",,5,`,
      '',
    ]);
  });

  it('contains the requested devices, attributes, columns and time range', async () => {
    const body = {
      deviceTags: [NORTH],
      attributes: ['state', 'none'],
      options: { includeID: false, includeDate: false },
      start: DAY + 1500,
    };
    expect(await lines(body)).toEqual(['Device Name,Timestamp,state,none', `Pump,${DAY + 2000},ready,`, '']);
  });

  it('generates a zip file with one file per device', async () => {
    const body = {
      deviceQuery: { name: { $in: ['Pump', 'Valve, main'] } },
      options: { filePerDevice: true, includeDate: false },
    };
    expect(await unzipped(await exported('data', body))).toEqual({
      [`Pump-${pump.id}.csv`]: `Timestamp,pressure,state\r\n${DAY + 1000},1,\r\n${DAY + 2000},,ready\r\n`,
      [`Valve-main-${valve.id}.csv`]: `Timestamp,open,state\r\n${DAY + 1000},true,\r\n${DAY + 2000},,5\r\n`,
    });
  });

  it('of no devices contains only the heading', async () => {
    expect(await lines({ deviceIds: [] })).toEqual(['Device ID,Device Name,Timestamp,ISO Date', '']);
  });

  it('is limited to one per application in five minutes', async () => {
    expect((await ask('data', { deviceIds: [pump.id] })).status).toBe(202);
    const refused = await ask('data', { deviceIds: [valve.id] });
    expect([refused.status, Number(refused.headers.get('retry-after')) > 290]).toEqual([429, true]);
    expect((await ask('devices')).status).toBe(202);
    expect((await ask('devices')).status).toBe(429);
  });

  it('omits devices that the caller cannot access', async () => {
    const devices = test.app.get(ExportedDevicesRepository);
    const selection = { deviceQuery: {} };
    const reached = async (reach?: { deviceIds: string[]; deviceTags: object[] }) =>
      (await devices.page({ applicationId: application.id, selection, reach }, '')).map(({ id }) => id);
    expect(await reached()).toEqual([pump.id, valve.id]);
    expect(await reached({ deviceIds: [valve.id], deviceTags: [] })).toEqual([valve.id]);
    expect(await reached({ deviceIds: [], deviceTags: [NORTH] })).toEqual([pump.id]);
    expect(await reached({ deviceIds: [], deviceTags: [] })).toEqual([]);
  });

  it.each<[object, string]>([
    [
      {},
      'devicesDataExport.deviceIds, devicesDataExport.deviceTags or devicesDataExport.deviceQuery is required',
    ],
    [{ deviceIds: ['x'] }, 'devicesDataExport.deviceIds.0 must match'],
    [{ deviceQuery: { name: { $gtx: 1 } } }, 'devicesDataExport.deviceQuery.name'],
    [{ deviceQuery: { lastUpdated: 'someday' } }, 'devicesDataExport.deviceQuery.lastUpdated'],
    [
      { deviceIds: [], callbackUrl: 'https://192.168.0.1/' },
      'devicesDataExport.callbackUrl must be an https URL',
    ],
    [{ deviceIds: [], start: 2, end: 1 }, 'devicesDataExport.end must be later'],
  ])('returns 400 for %j', async (body, message) => {
    const answer = await ask('data', body);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)]);
  });
});

describe('Export of the list of devices', () => {
  it('generates a CSV file with a column for each tag key', async () => {
    expect((await exported('devices')).toString().split('\r\n')).toEqual([
      'Name,ID,Description,Device Class,kind,site',
      `Pump,${pump.id},'@home,standalone,,"north, upper"`,
      `"Valve, main",${valve.id},,standalone,'=v,`,
      '',
    ]);
  });

  it('generates JSON of the matching devices on request', async () => {
    const answer = await exported('devices', { format: 'json', query: { tags: { site: 'north' } } });
    expect(JSON.parse(answer.toString())).toEqual([
      {
        name: 'Pump',
        id: pump.id,
        description: '@home',
        deviceClass: 'standalone',
        tags: { site: ['north', 'upper'] },
      },
    ]);
  });

  it.each<[object | undefined, string, string]>([
    [{ format: 'xml' }, '', 'devicesExportPost.format must be'],
    [{ query: { creationDate: 'someday' } }, '', 'devicesExportPost.query.creationDate'],
    [undefined, '?callbackUrl=http://example.com/', 'devicesExportPost.callbackUrl must be an https URL'],
    [undefined, '?email=nobody', 'devicesExportPost.email must be an email address'],
  ])('returns 400 for %j%s', async (body, query, message) => {
    const answer = await ask('devices', body, query);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)]);
  });
});

describe('Export of payload counts', () => {
  const count = (device: any, type: string, n: number) =>
    test.dataSource.query(
      `INSERT INTO payload_deltas (application_id, owner_id, device_id, type, channel, n, bytes)
       VALUES ($1, $2, $3, $4, 'device.rest', $5, 1)`,
      [application.id, application.ownerId, device.id, type, n],
    );
  const HEAD = 'Name,ID,deviceCommand,deviceConnect,deviceDisconnect,deviceState,mqttIn,mqttOut';

  it('contains the counts of each selected device', async () => {
    await count(pump, 'deviceState', 3);
    await count(pump, 'deviceState', 2);
    await count(pump, 'deviceCommand', 1);
    await count(valve, 'deviceConnect', 1);
    const lines = (await fileOf(await asked('devices/payloadCounts'))).toString().split('\r\n');
    expect(lines).toEqual([HEAD, `Pump,${pump.id},1,0,0,5,0,0`, `"Valve, main",${valve.id},0,1,0,0,0,0`, '']);
    expect((await asked('devices/payloadCounts')).status).toBe(429);
  });

  it('is limited to the requested devices and time range', async () => {
    await count(pump, 'deviceState', 3);
    await count(valve, 'deviceState', 3);
    const body = { query: { name: 'Pump' }, start: -3 * 86_400_000, end: -2 * 86_400_000 };
    const lines = (await fileOf(await asked('devices/payloadCounts', body))).toString().split('\r\n');
    expect(lines).toEqual([HEAD, `Pump,${pump.id},0,0,0,0,0,0`, '']);
  });

  it.each([
    [
      { start: 5, end: 4 },
      'devicesExportPayloadCountPost.end must be later than devicesExportPayloadCountPost.start',
    ],
    [{ start: 1 }, 'start must be in the last 400 days'],
    [{ query: { colour: 'red' } }, expect.stringContaining('colour')],
    [{ more: 1 }, 'devicesExportPayloadCountPost.more is not a property of devicesExportPayloadCountPost'],
  ])('returns 400 for %j', async (body, message) => {
    const answer = await asked('devices/payloadCounts', body);
    expect([answer.status, answer.body.message]).toEqual([400, message]);
  });

  it('requires the role collaborate', async () => {
    const path = `/applications/${application.id}/devices/payloadCounts`;
    const stranger = await makeUser(test);
    expect((await test.client.post(path, {})).status).toBe(401);
    expect((await test.client.post(path, {}, { token: stranger.token })).status).toBe(404);
    const scoped = tokenOf(test, user.id, ['devices.get']);
    expect((await test.client.post(path, {}, { token: scoped })).status).toBe(403);
  });
});
