import { jest } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { makeDevice } from '../../../../test/make/device-tokens.js';
import { makeFlow } from '../../../../test/make/flows.js';
import { requestedRuns } from '../../../../test/make/runs.js';
import { statementsOf } from '../../../../test/suites/statements.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';
import { DeviceReports } from '../device-state/device-reports.js';
import { DeviceSystemsRepository } from './device-systems.repository.js';
import { DeviceSystems } from './device-systems.js';

const { test, user, application } = suite({ PROCESS_ROLE: 'api' }, { database: 'own' });

const FLOW = [{ name: 'flow', dataType: 'number' }];
const summing = (aggregation: string, more: object = {}) => [
  {
    name: 'total',
    dataType: 'number',
    system: { aggregation, childAttributes: [{ name: 'flow', mode: 'all', ...more }] },
  },
];
const at = (id: string) => `/applications/${application.id}/devices/${id}`;
const token = () => ({ token: user.token });
const made = (body: object) => makeDevice(test, user.token, application.id, body);
const makeSystem = (attributes: object[], more: object = {}) =>
  made({ deviceClass: 'system', systemInterval: 60, attributes, ...more });
const makeChild = (parentId: string, more: object = {}) => made({ parentId, attributes: FLOW, ...more });
const report = (id: string, flow: number, time?: number) =>
  test.client.post(`${at(id)}/state`, { data: { flow }, time }, token());
/** Makes the systems due and runs their batch; no worker runs in parallel. */
async function turn(...ids: string[]): Promise<void> {
  await test.dataSource.query(
    `UPDATE device_systems SET due_at = now() - interval '1 ms' WHERE device_id = ANY ($1)`,
    [ids],
  );
  const provided = <T>(type: Type<T>) => test.app.get(type, { strict: false });
  const systems = new DeviceSystems(provided(DeviceSystemsRepository), provided(DeviceReports));
  while (await systems.runBatch());
}
const pointsOf = async (id: string): Promise<number[]> => {
  const rows: { number: number }[] = await test.dataSource.query(
    'SELECT number FROM device_points WHERE device_id = $1 ORDER BY time',
    [id],
  );
  return rows.map(({ number }) => number);
};

describe('System device', () => {
  it('reports the aggregated values of its direct children like any device', async () => {
    const system = await makeSystem(summing('SUM'), { tags: [{ key: 'site', value: 'north' }] });
    const trigger = { type: 'deviceTag', key: 'site/north', config: {}, outputIds: [] };
    const flow = await makeFlow(test, user.token, application.id, { triggers: [trigger] });
    const children = [await makeChild(system.id), await makeChild(system.id)];
    const below = await makeSystem(summing('MAX'), { parentId: system.id });
    const grandchild = await makeChild(below.id);
    for (const [i, { id }] of [...children, grandchild].entries()) await report(id, 10 ** i);
    await turn(system.id);
    expect(await pointsOf(system.id)).toEqual([11]);
    const { body } = await test.client.get(`${at(system.id)}/compositeState`, token());
    expect(body).toMatchObject({ total: { value: 11 } });
    const runs = await requestedRuns(test, { flowId: flow.id });
    expect(runs.map(({ deviceId }) => deviceId)).toEqual([system.id]);
    const summary = `/applications/${application.id}?summaryInclude=payloadCount`;
    const { payloadCount } = (await test.client.get(summary, token())).body.summary;
    expect(payloadCount.deviceState).toEqual({ 'user.rest': 3 });
  });

  it('aggregates child systems like other devices', async () => {
    const attributes = [{ ...summing('SUM')[0], name: 'flow' }];
    const upper = await makeSystem(attributes);
    const lower = await makeSystem(attributes, { parentId: upper.id });
    await report((await makeChild(lower.id)).id, 4);
    await report((await makeChild(upper.id)).id, 3);
    await turn(lower.id);
    await turn(upper.id);
    expect([await pointsOf(lower.id), await pointsOf(upper.id)]).toEqual([[4], [7]]);
  });

  it('reports only if it has received new values or changed', async () => {
    const system = await makeSystem(summing('COUNT'));
    const child = await makeChild(system.id);
    const other = await makeChild(system.id);
    await turn(system.id);
    expect(await pointsOf(system.id)).toEqual([0]);
    await turn(system.id);
    expect(await pointsOf(system.id)).toEqual([0]);
    await report(child.id, 1);
    await turn(system.id);
    await report(child.id, 1);
    await turn(system.id);
    await turn(system.id);
    expect(await pointsOf(system.id)).toEqual([0, 1, 1]);
    await report(other.id, 1, Date.now() - 60_000);
    await turn(system.id);
    await test.client.delete(at(other.id), token());
    await turn(system.id);
    expect(await pointsOf(system.id)).toEqual([0, 1, 1, 2, 1]);
  });

  it('aggregates only the devices selected by its attributes', async () => {
    const system = await makeSystem([]);
    const tags = [{ key: 'kind', value: 'main' }];
    const main = await makeChild(system.id, { tags });
    const side = await makeChild(system.id);
    const attributes = [
      { ...summing('SUM', { mode: 'whitelist', deviceTags: [{ key: 'kind' }] })[0], name: 'main' },
      { ...summing('SUM', { mode: 'whitelist', deviceIds: [side.id.toUpperCase()] })[0], name: 'side' },
    ];
    await test.client.patch(at(system.id), { attributes }, token());
    await report(main.id, 1);
    await report(side.id, 2);
    await turn(system.id);
    const { body } = await test.client.get(`${at(system.id)}/compositeState`, token());
    expect(body).toMatchObject({ main: { value: 1 }, side: { value: 2 } });
  });

  it('does not report while it is deleted, and resumes when it is restored', async () => {
    const system = await makeSystem(summing('SUM'));
    await report((await makeChild(system.id)).id, 2);
    await test.client.delete(at(system.id), token());
    await turn(system.id);
    expect(await pointsOf(system.id)).toEqual([]);
    const restore = `/applications/${application.id}/devices/restore`;
    await test.client.post(restore, { query: { id: system.id } }, token());
    await turn(system.id);
    expect(await pointsOf(system.id)).toEqual([2]);
  });

  it('reports once per interval, and sooner if the interval is shortened', async () => {
    const due = async (id: string): Promise<number> => {
      const [row] = await test.dataSource.query<{ seconds: number }[]>(
        'SELECT extract(epoch FROM due_at - now())::float8 AS seconds FROM device_systems WHERE device_id = $1',
        [id],
      );
      return row!.seconds;
    };
    const { id } = await makeSystem([], { systemInterval: 3_600 });
    expect(await due(id)).toBeGreaterThan(3_000);
    await test.client.patch(at(id), { systemInterval: 600 }, token());
    expect(await due(id)).toBeLessThanOrEqual(600);
    await turn(id);
    expect(await due(id)).toBeGreaterThan(500);
  });

  it('reports even if another system fails', async () => {
    const systems = [await makeSystem(summing('SUM')), await makeSystem(summing('SUM'))];
    for (const { id } of systems) await report((await makeChild(id)).id, 3);
    const [ill, well] = systems.map(({ id }) => id) as [string, string];
    const rows = test.app.get(DeviceSystemsRepository, { strict: false });
    const children = rows.children.bind(rows);
    const read = jest.spyOn(rows, 'children').mockImplementation(async (id, ...rest) => {
      if (id === ill) throw new Error('It takes too long');
      return children(id, ...rest);
    });
    await expect(turn(ill, well)).rejects.toThrow('It takes too long');
    read.mockRestore();
    expect([await pointsOf(ill), await pointsOf(well)]).toEqual([[], [3]]);
    await turn(ill, well);
    expect([await pointsOf(ill), await pointsOf(well)]).toEqual([[3], [3]]);
  });

  it('reads ten thousand children in one statement', async () => {
    const system = await makeSystem(summing('SUM'));
    await test.dataSource.query(
      `INSERT INTO devices (id, creation_date, last_updated, application_id, name, tags, attributes, device_class, parent_id,
         keep_duplicates, attribute_numbers)
       SELECT $1 || lpad(to_hex(n), 8, '0'), now(), now(), $2, 'd' || n, '[]', '[{"name":"flow","dataType":"number"}]', 'standalone', $3,
         false, '{"flow":1}' FROM generate_series(1, 9999) n`,
      [newId().slice(0, 16), application.id, system.id],
    );
    await test.dataSource.query(
      `INSERT INTO device_states (device_id, application_id, last_values)
       SELECT id, application_id, '{"1":[1,2]}' FROM devices WHERE parent_id = $1`,
      [system.id],
    );
    const statements = await statementsOf(() => turn(system.id));
    expect(await pointsOf(system.id)).toEqual([19_998]);
    expect(statements.filter((text) => text.includes('parent_id')).length).toBe(1);
  });
});
