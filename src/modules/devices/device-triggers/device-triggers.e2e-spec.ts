import { makeFlow, makeVersion } from '../../../../test/make/flows.js';
import { requestedRuns } from '../../../../test/make/runs.js';
import { statementsOf } from '../../../../test/suites/statements.js';
import { suite } from '../../../../test/setup/suite.js';
import { Database } from '../../../platform/database/database.js';
import { newId } from '../../../platform/repositories/resource.js';
import { DeviceTriggers, type AnnouncedStates } from './device-triggers.js';

const { test, user, application } = suite();
const triggers = () => test.app.get(DeviceTriggers, { strict: false });

const deviceWith = (tags: Record<string, string> = {}) => ({
  id: newId(),
  applicationId: application.id,
  tags: Object.entries(tags).map(([key, value]) => ({ key, value })),
});

interface TriggerBody {
  type: string;
  key?: string;
  config?: object;
}

const listens = (...made: TriggerBody[]) =>
  makeFlow(test, user.token, application.id, {
    triggers: made.map(({ config = {}, ...trigger }) => ({ ...trigger, config, outputIds: [] })),
  });

/** Returns the run requests of a workflow. */
async function runsOf({ id }: { id: string }) {
  const runs = await requestedRuns(test, { flowId: id });
  return runs.map(({ trigger, deviceId, flowVersionId: version }) => ({ trigger, deviceId, version }));
}

const keysOf = async (flow: { id: string }) =>
  (await runsOf(flow)).map(({ trigger }) => `${String(trigger.type)} ${String(trigger.key)}`).sort();

const report = (
  device: ReturnType<typeof deviceWith>,
  data: object[] | object,
  more: Partial<AnnouncedStates> = {},
): AnnouncedStates => ({
  device,
  states: [data].flat().map((one) => ({ time: new Date(), data: one })),
  isBatch: Array.isArray(data),
  ...more,
});

describe('Triggers for device reports', () => {
  it('run workflows triggered by the device, with the accepted data', async () => {
    const device = deviceWith();
    const flow = await listens({ type: 'deviceId', key: device.id });
    const stranger = await listens({ type: 'deviceId', key: newId() });
    const time = new Date('2026-06-13T04:00:00.000Z');
    await triggers().state([
      { device, states: [{ time, data: { temp: 21.5, on: null }, meta: { gate: 1 } }], isBatch: false },
    ]);
    const trigger = {
      type: 'deviceId',
      key: device.id,
      sourceId: device.id,
      time: time.toISOString(),
      data: { temp: 21.5, on: null },
      meta: { gate: 1 },
    };
    expect(await runsOf(flow)).toEqual([{ trigger, deviceId: device.id, version: null }]);
    expect(await runsOf(stranger)).toEqual([]);
  });

  it('run workflows triggered by its tags, by key, value or both', async () => {
    const keys = ['site/north', 'site/', '/north', '/', 'site/south', '/site', 'line/', 'line/a/b'];
    const flows = await Promise.all(keys.map((key) => listens({ type: 'deviceTag', key })));
    await triggers().state([report(deviceWith({ site: 'north', line: 'a/b' }), { temp: 1 })]);
    const heard = await Promise.all(flows.map(async (flow) => (await runsOf(flow)).length));
    expect(heard).toEqual([1, 1, 1, 1, 0, 0, 1, 1]);
  });

  it('run no workflows of other applications and no disabled workflows', async () => {
    const device = deviceWith({ site: 'north' });
    const off = await makeFlow(test, user.token, application.id, {
      enabled: false,
      triggers: [{ type: 'deviceId', key: device.id, config: {}, outputIds: [] }],
    });
    const on = await listens({ type: 'deviceTag', key: 'site/north' });
    await triggers().state([report({ ...device, applicationId: newId() }, { temp: 1 })]);
    expect(await runsOf(on)).toEqual([]);
    await triggers().state([report(device, { temp: 1 })]);
    expect(await runsOf(on)).toHaveLength(1);
    expect(await runsOf(off)).toEqual([]);
  });

  it('run a workflow once for each matching trigger', async () => {
    const device = deviceWith({ site: 'north' });
    const flow = await listens(
      { type: 'deviceId', key: device.id },
      { type: 'deviceTag', key: 'site/' },
      { type: 'deviceTag', key: 'site/south' },
    );
    await triggers().state([report(device, { temp: 1 })]);
    expect(await keysOf(flow)).toEqual([`deviceId ${device.id}`, 'deviceTag site/']);
  });

  it.each([
    ['any', {}, { temp: 1 }, 1],
    ['one that is wanted', { attributeWhitelist: ['temp', 'load'] }, { load: 1, other: 2 }, 1],
    ['none that is wanted', { attributeWhitelist: ['temp'] }, { load: 1 }, 0],
    ['one besides those that are not', { attributeBlacklist: ['temp'] }, { temp: 1, load: 1 }, 1],
    ['those alone that are not wanted', { attributeBlacklist: ['temp', 'load'] }, { temp: 1, load: 1 }, 0],
    ['no accepted value', {}, {}, 0],
    ['nothing, where that is wanted too', { allowInvalid: true }, {}, 1],
  ])('depend on the accepted attributes: %s', async (_, config, data, runs) => {
    const device = deviceWith();
    const flow = await listens({ type: 'deviceId', key: device.id, config });
    await triggers().state([report(device, data)]);
    expect(await runsOf(flow)).toHaveLength(runs);
  });

  it.each([
    ['young enough', { maxAge: 60 }, 30, 1],
    ['too old', { maxAge: 60 }, 90, 0],
    ['of any age', { maxAge: 0 }, 90, 1],
    ['within no time that a clock knows', { maxAge: 1e300 }, 90, 1],
  ])('depend on the age of the report: %s', async (_, config, seconds, runs) => {
    const device = deviceWith();
    const flow = await listens({ type: 'deviceId', key: device.id, config });
    const time = new Date(Date.now() - seconds * 1000);
    await triggers().state([{ device, states: [{ time, data: { temp: 1 } }], isBatch: false }]);
    expect(await runsOf(flow)).toHaveLength(runs);
  });

  it.each([
    [{}, 1, 2],
    [{ triggerOn: 'both' }, 1, 2],
    [{ triggerOn: 'individual' }, 1, 0],
    [{ triggerOn: 'batch' }, 0, 2],
    [{ triggerOn: 'batch', batchBehavior: 'each' }, 0, 2],
    [{ batchBehavior: 'once' }, 1, 1],
  ])('depend on whether states are sent alone or as an array, with %j', async (config, alone, listed) => {
    const device = deviceWith();
    const flow = await listens({ type: 'deviceId', key: device.id, config });
    await triggers().state([report(device, { temp: 1 })]);
    expect(await runsOf(flow)).toHaveLength(alone);
    await triggers().state([report(device, [{ temp: 2 }, { temp: 3 }])]);
    expect(await runsOf(flow)).toHaveLength(alone + listed);
  });

  it('run a workflow once for an array, with all of its states', async () => {
    const device = deviceWith();
    const flow = await listens({ type: 'deviceId', key: device.id, config: { batchBehavior: 'once' } });
    await triggers().state([report(device, [{ temp: 2 }, { temp: 3 }])]);
    expect((await runsOf(flow)).map(({ trigger }) => trigger)).toEqual([
      {
        type: 'deviceId',
        key: device.id,
        sourceId: device.id,
        data: [
          expect.objectContaining({ data: { temp: 2 } }),
          expect.objectContaining({ data: { temp: 3 } }),
        ],
      },
    ]);
  });

  it('run the requested version, and nothing if it does not exist', async () => {
    const device = deviceWith();
    const trigger = { type: 'deviceId', key: device.id, config: {}, outputIds: [] };
    const flow = await listens();
    const version = await makeVersion(test, user.token, flow, { version: '1.0', triggers: [trigger] });
    await triggers().state([report(device, { temp: 1 }, { flowVersion: '2.0' })]);
    await triggers().state([report(device, { temp: 1 })]);
    expect(await runsOf(flow)).toEqual([]);
    await triggers().state([report(device, { temp: 1 }, { flowVersion: '1.0' })]);
    expect(await runsOf(flow)).toMatchObject([{ version: version.id }]);
  });

  it('are processed in one statement for any number of devices', async () => {
    const flow = await listens({ type: 'deviceTag', key: 'site/' });
    const reports = Array.from({ length: 20 }, (_, n) =>
      report(deviceWith({ site: `s${n}` }), [{ temp: n }, { temp: n }]),
    );
    const statements = await statementsOf(() => triggers().state(reports));
    expect(statements).toHaveLength(1);
    const runs = await runsOf(flow);
    expect(runs).toHaveLength(40);
    expect(new Set(runs.map(({ deviceId }) => deviceId)).size).toBe(20);
    expect(await statementsOf(() => triggers().state([]))).toEqual([]);
  });
});

describe('Triggers for other device events', () => {
  it.each(['connect', 'disconnect'] as const)('%s', async (what) => {
    const device = deviceWith({ site: 'north' });
    const type = what === 'connect' ? 'Connect' : 'Disconnect';
    const byId = await listens({ type: `deviceId${type}`, key: device.id });
    const byTag = await listens({ type: `deviceTag${type}`, key: 'site/north' });
    const others = await listens(
      { type: 'deviceId', key: device.id },
      { type: `deviceTag${type}`, key: 'site/south' },
    );
    const time = new Date();
    await triggers()[what]([{ device, time, data: { reason: 'tired' } }]);
    for (const flow of [byId, byTag]) {
      const [run] = await runsOf(flow);
      expect(run).toMatchObject({
        deviceId: device.id,
        trigger: { time: time.toISOString(), data: { reason: 'tired' } },
      });
    }
    expect(await runsOf(others)).toEqual([]);
  });

  it('run workflows when a device is created', async () => {
    const any = await listens({ type: 'deviceCreate' });
    const tagged = await listens({ type: 'deviceCreate', key: 'site/north' });
    const device = deviceWith({ site: 'south' });
    await triggers().created([{ device, time: new Date(), data: { name: 'Pump' } }]);
    expect(await runsOf(any)).toMatchObject([
      { deviceId: device.id, trigger: { type: 'deviceCreate', key: '/' } },
    ]);
    expect(await runsOf(tagged)).toEqual([]);
  });
});

describe('Triggers whose connection to PostgreSQL is lost', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each(['after', 'before'])('run workflows once if it is lost %s the commit', async (moment) => {
    const device = deviceWith();
    const flow = await listens({ type: 'deviceId', key: device.id });
    const database = test.app.get(Database, { strict: false });
    const write = database.write.bind(database);
    let cut = false;
    jest.spyOn(database, 'write').mockImplementation(async (statement) => {
      if (cut || !statement.text.includes('run_inbox')) return write(statement);
      cut = true;
      if (moment === 'after') await write(statement);
      throw new Error('Connection terminated unexpectedly');
    });
    const reported = () => triggers().state([report(device, { temp: 1 })]);
    if (moment === 'after') await reported();
    else await expect(reported()).rejects.toThrow('Connection terminated');
    expect(cut).toBe(true);
    if (moment === 'before') await reported();
    expect(await keysOf(flow)).toEqual([`deviceId ${device.id}`]);
  });
});
