import { makeDevice } from '../../../../test/make/device-tokens.js';
import { makeFlow, whileLocked } from '../../../../test/make/flows.js';
import { requestedRuns } from '../../../../test/make/runs.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';

const { test, user, application } = suite();

const flowFor = (type: string, key: string, seconds: number | undefined, more: object = {}) =>
  makeFlow(test, user.token, application.id, {
    triggers: [{ type, key, config: { seconds }, outputIds: [] }],
    ...more,
  });
const deviceWith = (tags: object[] = []) =>
  makeDevice(test, user.token, application.id, {
    name: 'Pump',
    attributes: [{ name: 'temp', dataType: 'number' }],
    tags,
  });
const report = async ({ id }: { id: string }) => {
  const answer = await test.client.post(
    `/applications/${application.id}/devices/${id}/state`,
    { data: { temp: 20 } },
    { token: user.token },
  );
  expect(answer.status).toBe(200);
};
const runsOf = ({ id }: { id: string }) => requestedRuns(test, { flowId: id });

/** Returns the silences that a workflow waits for. */
const silencesOf = ({ id }: { id: string }): Promise<{ deviceId: string; seconds: number; left: number }[]> =>
  test.dataSource.query(
    `SELECT device_id AS "deviceId", seconds, extract(epoch FROM due_at - now())::float8 AS left
     FROM device_silences WHERE flow_id = $1 ORDER BY device_id`,
    [id],
  );

/** Lets the silences of workflows end. */
const end = (...flows: { id: string }[]) =>
  test.dataSource.query(
    `UPDATE device_silences SET due_at = now() - interval '1 ms' WHERE flow_id = ANY ($1)`,
    [flows.map(({ id }) => id)],
  );

/** Waits until a worker has noticed that the silences of a workflow have ended. */
const isNoticed = (flow: { id: string }) => waitUntil(async () => (await silencesOf(flow)).length === 0);

async function pass(flow: { id: string }) {
  await end(flow);
  await isNoticed(flow);
}

describe('A trigger for inactive devices', () => {
  it('fires once for each silence, which starts with a report', async () => {
    const device = await deviceWith();
    const flow = await flowFor('deviceIdInactivity', device.id, 3600);
    expect(await silencesOf(flow)).toEqual([]);
    const before = Date.now();
    await report(device);
    expect(await silencesOf(flow)).toMatchObject([{ deviceId: device.id, seconds: 3600 }]);
    await pass(flow);
    const runs = await runsOf(flow);
    expect(runs).toMatchObject([
      {
        deviceId: device.id,
        trigger: {
          type: 'deviceIdInactivity',
          key: device.id,
          sourceType: 'timer',
          sourceId: `inactivity-${device.id}-3600`,
        },
      },
    ]);
    const { data } = runs[0]!.trigger;
    expect(data).toEqual({ inactivitySeconds: 3600, lastActivity: expect.any(String) });
    expect(Date.parse(data.lastActivity)).toBeGreaterThanOrEqual(before);
    await report(device);
    await pass(flow);
    expect(await runsOf(flow)).toHaveLength(2);
  });

  it('waits longer after a later report', async () => {
    const device = await deviceWith();
    const flow = await flowFor('deviceIdInactivity', device.id, 3600);
    await report(device);
    await test.dataSource.query(
      `UPDATE device_silences SET due_at = now() + interval '1 minute' WHERE flow_id = $1`,
      [flow.id],
    );
    await report(device);
    const [silence] = await silencesOf(flow);
    expect(silence!.left).toBeGreaterThan(3000);
  });

  it('finds devices by tag', async () => {
    const north = await deviceWith([{ key: 'site', value: 'north' }]);
    const south = await deviceWith([{ key: 'site', value: 'south' }]);
    const flow = await flowFor('deviceTagInactivity', 'site/north', 60);
    const any = await flowFor('deviceTagInactivity', 'site/', 60);
    await report(north);
    await report(south);
    expect(await silencesOf(flow)).toMatchObject([{ deviceId: north.id }]);
    expect(await silencesOf(any)).toHaveLength(2);
  });

  it('starts anew when it is saved', async () => {
    const device = await deviceWith();
    const flow = await flowFor('deviceIdInactivity', device.id, 60);
    await report(device);
    const path = `/applications/${application.id}/flows/${flow.id}`;
    const triggers = [{ type: 'deviceIdInactivity', key: device.id, config: { seconds: 90 }, outputIds: [] }];
    await test.client.patch(path, { triggers }, { token: user.token });
    await pass(flow);
    expect(await runsOf(flow)).toEqual([]);
    await report(device);
    expect(await silencesOf(flow)).toMatchObject([{ seconds: 90 }]);
  });

  it.each(['device', 'workflow'])('does not fire for a deleted %s', async (what) => {
    const device = await deviceWith();
    const flow = await flowFor('deviceIdInactivity', device.id, 60);
    await report(device);
    const path = what === 'device' ? `devices/${device.id}` : `flows/${flow.id}`;
    await test.client.delete(`/applications/${application.id}/${path}`, { token: user.token });
    await pass(flow);
    expect(await runsOf(flow)).toEqual([]);
  });

  it('waits for a year at most, also if it was saved before there was a limit', async () => {
    const device = await deviceWith();
    const flow = await flowFor('deviceIdInactivity', device.id, 3600);
    await test.dataSource.query(`UPDATE flow_triggers SET config = '{"seconds": 1e300}' WHERE flow_id = $1`, [
      flow.id,
    ]);
    await report(device);
    expect(await silencesOf(flow)).toMatchObject([{ seconds: 31_622_400 }]);
  });

  it('does not wait for the locked workflow of another one', async () => {
    const device = await deviceWith();
    const [free, locked] = [
      await flowFor('deviceIdInactivity', device.id, 3600),
      await flowFor('deviceIdInactivity', device.id, 7200),
    ];
    await report(device);
    await whileLocked(test, locked, async () => {
      await end(free, locked);
      await isNoticed(free);
      expect(await runsOf(free)).toHaveLength(1);
      expect(await silencesOf(locked)).toHaveLength(1);
    });
    await isNoticed(locked);
    expect(await runsOf(locked)).toHaveLength(1);
  });

  it('does not fire while its workflow is disabled', async () => {
    const device = await deviceWith();
    const flow = await flowFor('deviceIdInactivity', device.id, 60, { enabled: false });
    await report(device);
    await pass(flow);
    expect(await runsOf(flow)).toEqual([]);
  });
});
