import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { DeviceHoursRepository } from '../device-state/device-hours.repository.js';
import { Device } from '../devices/device.resource.js';
import { DeviceRemoval } from './device-removal.js';

const { test, user, application } = suite({ PROCESS_ROLE: 'all' });
let path: string;

beforeEach(() => {
  path = `/applications/${application.id}/devices`;
});

const token = () => ({ token: user.token });
const made = async (body: object) => (await test.client.post(path, body, token())).body;
const stored = (id: string) => test.dataSource.manager.findOneBy(Device, { id });
const statesOf = async (id: string) =>
  (await test.dataSource.query('SELECT 1 FROM device_states WHERE device_id = $1', [id])).length;
async function deleted(id: string, days: number): Promise<void> {
  await test.client.delete(`${path}/${id}`, token());
  const text = `UPDATE devices SET deleted_at = now() - $2 * interval '1 day' WHERE id = $1`;
  await test.dataSource.query(text, [id, days]);
  const state = 'INSERT INTO device_states (device_id, application_id) VALUES ($1, $2)';
  await test.dataSource.query(state, [id, application.id]);
}

describe('Deleted device', () => {
  it('is removed with its data after 30 days, and not before', async () => {
    const old = await made({ name: 'Old' });
    const late = await made({ name: 'Late' });
    await deleted(old.id, 31);
    await deleted(late.id, 29);
    await test.app.get(DeviceRemoval).runBatch();
    expect(await stored(old.id)).toBeNull();
    expect(await stored(late.id)).not.toBeNull();
    await waitUntil(async () => (await statesOf(old.id)) === 0);
    expect(await statesOf(late.id)).toBe(1);
  });

  it('is detached from its children and peripherals when it is removed', async () => {
    const system = await made({ name: 'System', deviceClass: 'system' });
    const gateway = await made({ name: 'Gateway', deviceClass: 'gateway' });
    const device = await made({
      name: 'Probe',
      deviceClass: 'peripheral',
      gatewayId: gateway.id,
      parentId: system.id,
    });
    await deleted(system.id, 31);
    await deleted(gateway.id, 31);
    await test.app.get(DeviceRemoval).runBatch();
    expect(await stored(device.id)).toMatchObject({
      parentId: null,
      gatewayId: null,
      deviceClass: 'floating',
    });
  });
});

describe('Deleted or retyped attribute', () => {
  const names = ['kept', 'gone', 'retyped'];
  const attributes = names.map((name) => ({ name, dataType: 'number' }));
  const changed = [attributes[0], { name: 'retyped', dataType: 'string' }];
  const numbersIn = async (table: string, id: string) => {
    const text = `SELECT DISTINCT attribute FROM ${table} WHERE device_id = $1 ORDER BY attribute`;
    const rows = await test.dataSource.query<{ attribute: number }[]>(text, [id]);
    return rows.map(({ attribute }) => attribute);
  };
  const newestOf = async (id: string) => {
    const text = 'SELECT last_values AS values FROM device_states WHERE device_id = $1';
    const [row] = await test.dataSource.query<{ values: object }[]>(text, [id]);
    return Object.keys(row!.values);
  };

  it.each<[string, (id: string) => Promise<unknown>]>([
    [
      'with a change of the device',
      (id) => test.client.patch(`${path}/${id}`, { attributes: changed }, token()),
    ],
    [
      'with a change of many devices',
      (id) => test.client.patch(path, { deviceIds: [id], updateFields: { attributes: changed } }, token()),
    ],
    [
      'one by one',
      async (id) => {
        for (const name of names.slice(1))
          await test.client.delete(`${path}/${id}/attributes/${name}`, token());
      },
    ],
  ])('loses its reported data %s', async (_, change) => {
    const { id } = await made({ name: 'Pump', attributes });
    const time = Date.now() - 7_200_000;
    const data = { kept: 1, gone: 2, retyped: 3 };
    await test.client.post(`${path}/${id}/state`, { time, data }, token());
    await test.app.get(DeviceHoursRepository, { strict: false }).aggregate(Date.now() - 3_600_000, 2_000);
    await waitUntil(async () => (await numbersIn('device_hours', id)).length === 3);
    await change(id);
    await waitUntil(async () => (await numbersIn('device_hours', id)).length === 1);
    expect(await numbersIn('device_hours', id)).toEqual([1]);
    expect(await numbersIn('device_points', id)).toEqual([1]);
    expect(await newestOf(id)).toEqual(['1']);
  });
});
