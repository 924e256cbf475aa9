import { makeFlow } from '../../../../test/make/flows.js';
import { makeApplication, tokenOf } from '../../../../test/make/make.js';
import { requestedRuns } from '../../../../test/make/runs.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';

const { test, user, application } = suite();
let own: string;
let deviceId: string;

beforeEach(async () => {
  const devices = `/applications/${application.id}/devices`;
  const body = { name: 'Valve', tags: [{ key: 'site', value: 'north' }] };
  deviceId = (await test.client.post(devices, body, { token: user.token })).body.id;
  own = `${devices}/${deviceId}`;
});

const say = (body: object, path = own) =>
  test.client.post(`${path}/setConnectionStatus`, body, { token: user.token });
const log = async (query = '?limit=1000', path = own) =>
  (await test.client.get(`${path}/logs${query}`, { token: user.token })).body;
const minutesAgo = (n: number) => new Date(Date.now() - n * 60_000).toISOString();

async function stateOf(): Promise<Record<string, unknown>> {
  const [state] = await test.dataSource.query(
    `SELECT connected, connection_time AS "time", connected_at AS "connectedAt", disconnected_at AS "disconnectedAt"
     FROM device_states WHERE device_id = $1`,
    [deviceId],
  );
  return JSON.parse(JSON.stringify(state));
}

describe('Connection of a device', () => {
  it('is stored in the log and in the state of the device', async () => {
    const [first, second] = [minutesAgo(20), minutesAgo(10)];
    const connected = { status: 'connected', connectedAt: first, ipAddress: '203.0.113.7' };
    expect(await say(connected)).toMatchObject({ status: 200, body: { success: true } });
    const end = {
      disconnectedAt: second,
      disconnectReason: 'The battery is low',
      messagesFromClient: 12,
      messagesToClient: 0,
    };
    expect(await say({ status: 'disconnected', ...end })).toMatchObject({ status: 200 });
    expect(await log()).toEqual([
      {
        connected: 0,
        time: second,
        disconnectReason: 'The battery is low',
        messagesFromClient: 12,
        messagesToClient: 0,
      },
      { connected: 1, time: first, ipAddress: '203.0.113.7' },
    ]);
    expect(await stateOf()).toEqual({
      connected: 0,
      time: second,
      connectedAt: first,
      disconnectedAt: second,
    });
    expect(await log('')).toHaveLength(1);
    expect(await log(`?limit=9&end=${Date.parse(first)}`)).toMatchObject([{ connected: 1 }]);
    expect(await log(`?limit=9&since=${Date.parse(first)}`)).toMatchObject([{ connected: 0 }]);
  });

  it('keeps the newest status when an older one is reported late', async () => {
    const [oldest, middle, newest] = [minutesAgo(30), minutesAgo(20), minutesAgo(10)];
    await say({ status: 'connected', connectedAt: newest });
    await say({ status: 'disconnected', disconnectedAt: middle, connectedAt: oldest });
    expect(await stateOf()).toEqual({
      connected: 1,
      time: newest,
      connectedAt: newest,
      disconnectedAt: middle,
    });
    expect((await log()).map(({ connected }: { connected: number }) => connected)).toEqual([1, 0]);
  });

  it('uses the current time if no time is given or it is out of range', async () => {
    const before = Date.now();
    await say({ status: 'connected' });
    await say({ status: 'connected', connectedAt: '1999-01-01' });
    for (const { time } of await log()) expect(Date.parse(time)).toBeGreaterThanOrEqual(before);
  });

  it('runs the workflows that it triggers', async () => {
    const listens = (type: string, key: string) =>
      makeFlow(test, user.token, application.id, { triggers: [{ type, key, config: {}, outputIds: [] }] });
    const comes = await listens('deviceIdConnect', deviceId);
    const goes = await listens('deviceTagDisconnect', 'site/north');
    await say({ status: 'connected', ipAddress: '203.0.113.7' });
    await say({ status: 'disconnected', disconnectReason: 'Tired', messagesFromClient: 7 });
    const runs = await requestedRuns(test, { deviceId });
    expect(runs.map(({ flowId, trigger: { data } }) => ({ flowId, data }))).toEqual([
      { flowId: comes.id, data: { address: '203.0.113.7', method: 'rest', secure: false } },
      {
        flowId: goes.id,
        data: { method: 'rest', secure: false, disconnectReason: 'Tired', messagesFromDevice: 7 },
      },
    ]);
  });

  it.each([
    {},
    { status: 'gone' },
    { status: 'connected', disconnectReason: 'x' },
    { status: 'disconnected', messagesFromClient: -1 },
    { status: 'disconnected', messagesToClient: 2 ** 31 },
    { status: 'disconnected', disconnectReason: 'x'.repeat(1025) },
    { status: 'connected', ipAddress: 'x' },
  ])('is rejected with 400 for %.60j', async (body) => {
    expect((await say(body)).status).toBe(400);
    expect(await log()).toEqual([]);
  });

  it('returns 404 if the device does not exist or belongs to another application', async () => {
    const elsewhere = await makeApplication(test, user.token);
    const missing = { type: 'NotFound', message: 'Device was not found' };
    for (const path of [
      `/applications/${application.id}/devices/${newId()}`,
      `/applications/${elsewhere.id}/devices/${deviceId}`,
    ]) {
      expect((await say({ status: 'connected' }, path)).body).toEqual(missing);
      expect(await log('', path)).toEqual(missing);
    }
  });

  it.each([
    [undefined, 401, 401],
    ['device.setConnectionStatus', 200, 403],
    ['device.getLogEntries', 403, 200],
    ['all.Device.read', 403, 200],
    ['all.Device', 200, 200],
  ])('with the scope %s returns %i when set and %i when listed', async (scope, told, read) => {
    const token = scope && tokenOf(test, user.id, [scope]);
    const path = `${own}/setConnectionStatus`;
    expect((await test.client.post(path, { status: 'connected' }, { token })).status).toBe(told);
    expect((await test.client.get(`${own}/logs`, { token })).status).toBe(read);
  });
});
