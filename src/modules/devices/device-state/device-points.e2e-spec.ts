import { jest } from '@jest/globals';
import { makeDevice } from '../../../../test/make/device-tokens.js';
import { countedReports } from '../../../../test/make/payloads.js';
import { suite } from '../../../../test/setup/suite.js';
import { Database } from '../../../platform/database/database.js';
import { DevicePartitionsRepository } from './device-partitions.repository.js';
import { DevicePointsRepository } from './device-points.repository.js';

const { test, user, application } = suite();
const time = Math.floor(Date.now() / 1000) * 1000 - 60_000;

let device: { id: string };
beforeEach(async () => {
  const attributes = [{ name: 'temp', dataType: 'number' }];
  device = await makeDevice(test, user.token, application.id, { name: 'Pump', attributes });
});

/** Returns the stored points of the device as `[time, value]`, sorted. */
async function points(): Promise<[number, number][]> {
  const rows: any[] = await test.dataSource.query(
    'SELECT * FROM device_points WHERE application_id = $1 AND device_id = $2 ORDER BY time',
    [application.id, device.id],
  );
  return rows.map((row) => [Number(row.time), row.number]);
}

describe('A report whose connection to the database is lost', () => {
  const manyTimes = Array.from({ length: 600 }, (_, i) => time + i);
  const cut = () => Promise.reject(new Error('Connection terminated unexpectedly'));

  /** Returns a function that stores a value at each time, and the database with whose first statement it does so. */
  function storing(): { database: Database; store: (value: number, times: number[]) => Promise<unknown> } {
    const database = new Database(test.dataSource);
    const repository = new DevicePointsRepository(database, test.app.get(DevicePartitionsRepository));
    const store = (value: number, times: number[]) => {
      const points = times.map((at) => ({ attribute: 1, time: at, value }));
      const report = { points, payloads: times.length, bytes: 0, channel: 'user.rest' } as const;
      return repository.store([{ applicationId: application.id, deviceId: device.id, ...report }]);
    };
    return { database, store };
  }

  it.each([
    ['in one statement', 'write', [time]],
    ['with many states', 'transaction', manyTimes],
  ] as const)('is stored and counted once if it was committed, %s', async (_, method, times) => {
    const { database, store } = storing();
    const real = database[method].bind(database) as (work: any) => Promise<unknown>;
    jest.spyOn(database, method).mockImplementationOnce((work: any) => real(work).then(cut));
    await store(1, [...times]);
    expect(await points()).toHaveLength(times.length);
    expect(await countedReports(test, device.id)).toMatchObject({ n: times.length });
  });

  it('fails if it was not committed, even if other values have its times', async () => {
    const { database, store } = storing();
    await store(1, [time]);
    jest.spyOn(database, 'write').mockImplementationOnce(cut);
    await expect(store(2, [time])).rejects.toThrow('terminated');
    expect(await points()).toEqual([[time, 1]]);
    expect(await countedReports(test, device.id)).toMatchObject({ n: 1 });
  });
});
