import { makeDevice as makeAnyDevice } from '../../../../test/make/device-tokens.js';
import { makeApplication, makeOrg, makeMember } from '../../../../test/make/make.js';
import { makeFlow } from '../../../../test/make/flows.js';
import { countedReports } from '../../../../test/make/payloads.js';
import { requestedRuns } from '../../../../test/make/runs.js';
import { statementCounter } from '../../../../test/suites/statements.js';
import { suite } from '../../../../test/setup/suite.js';
import { newId } from '../../../platform/repositories/resource.js';

const DAY = 86_400_000;
const ATTRIBUTES = [
  { name: 'temp', dataType: 'number' },
  { name: 'door', dataType: 'boolean' },
  { name: 'label', dataType: 'string' },
  { name: 'place', dataType: 'gps' },
  { name: 'photo', dataType: 'blob' },
];

const { test, user, application } = suite();
let device: any;
let path: string;

const makeDevice = (more: object = {}, of = application) =>
  makeAnyDevice(test, user.token, of.id, { name: 'Pump', attributes: ATTRIBUTES, ...more });
const pathOf = ({ applicationId, id }: any) => `/applications/${applicationId}/devices/${id}/state`;
const send = (body: unknown, token = user.token, to = path) => test.client.post(to, body, { token });
const takes = async (body: unknown) =>
  expect(await send(body)).toMatchObject({ status: 200, body: { success: true } });

/** Returns the stored points of the device as `[attribute, time, value]`, sorted. */
async function points(of = device): Promise<unknown[][]> {
  const rows: any[] = await test.dataSource.query(
    'SELECT * FROM device_points WHERE application_id = $1 AND device_id = $2 ORDER BY attribute, time',
    [of.applicationId, of.id],
  );
  return rows.map((row) => [
    ATTRIBUTES[row.attribute - 1]!.name,
    Number(row.time),
    row.number ?? row.boolean ?? row.text,
  ]);
}
async function lastValues(of = device): Promise<Record<string, unknown>> {
  const [row] = await test.dataSource.query('SELECT * FROM device_states WHERE device_id = $1', [of.id]);
  return Object.fromEntries(
    Object.entries(row?.last_values ?? {}).map(([number, value]) => [
      ATTRIBUTES[Number(number) - 1]!.name,
      value,
    ]),
  );
}

let counted: ReturnType<typeof statementCounter>;
beforeAll(() => {
  counted = statementCounter(test);
});

beforeEach(async () => {
  device = await makeDevice();
  path = pathOf(device);
});

describe('Device report', () => {
  const time = Math.floor(Date.now() / 1000) * 1000 - 60_000;

  it('is stored as points and as the newest value of each attribute', async () => {
    const data = { temp: 21.5, door: true, label: 'a\t"b"\\n', place: '37.5,-122', photo: 'aGVsbG8=' };
    await takes({ data, time });
    const stored = Object.entries(data).map(([name, value]) => [name, time, value]);
    expect(await points()).toEqual(stored);
    expect(await lastValues()).toEqual(
      Object.fromEntries(Object.entries(data).map(([name, value]) => [name, [time, value]])),
    );
  });

  it('can contain several states with any accepted time', async () => {
    const now = Date.now();
    await takes([
      { data: { temp: 1 }, time },
      { data: { temp: 2 }, time: new Date(time + 1).toISOString() },
      { data: { temp: 3 }, time: { $date: new Date(time + 2).toISOString() } },
      { data: { temp: 4 }, time: (time + 3000) / 1000 },
      { data: { temp: 5 }, time: now - 29 * DAY },
      { data: { temp: 6 }, time: now + DAY - 60_000 },
      { data: { temp: 7 }, time: now - 31 * DAY },
      { data: { temp: 8 }, time: now + DAY + 60_000 },
    ]);
    const values = (await points()).map(([, , value]) => value);
    expect(values).toEqual([5, 1, 2, 3, 4, 6]);
    expect(await lastValues()).toEqual({ temp: [now + DAY - 60_000, 6] });
    await takes([]);
  });

  it.each([0, '0', 12.5, '1970-01-01T00:00:41.000Z', { $date: '1970-01-01' }])(
    'of a device without a clock, with the time %j, is stored with the time of receipt',
    async (clockless) => {
      const before = Date.now();
      await takes({ data: { temp: 3 }, time: clockless });
      const [[name, at, value] = []] = await points();
      expect([name, value]).toEqual(['temp', 3]);
      expect(at).toBeGreaterThanOrEqual(before);
      expect(at).toBeLessThanOrEqual(Date.now());
    },
  );

  it('is refused with a time on a day that does not exist', async () => {
    const answer = await send([{ data: { temp: 3 }, time: '2026-02-31T10:20:30Z' }]);
    expect([answer.status, answer.body]).toEqual([
      400,
      { type: 'Validation', message: 'deviceState.time must be a date that exists' },
    ]);
    expect(await points()).toEqual([]);
  });

  it('with many values is stored like one with few, even if some of them already exist', async () => {
    const DATA = {
      temp: -0.1,
      door: false,
      label: 'a\t"b"\\n\n\ud83d\ude00\u20ac',
      place: '37.5,-122',
      photo: '',
    };
    const states = (from: number, more: object) =>
      Array.from({ length: 150 }, (_, i) => ({ time: time - from - i, data: { ...DATA, ...more } }));
    const stored = (from: number, to: number, more: object) =>
      Object.entries({ ...DATA, ...more }).map(([name, value]) =>
        Array.from({ length: to - from + 1 }, (_, i) => [name, time - to + i, value]),
      );
    await takes(states(0, { temp: 1 }));
    expect(await points()).toEqual(stored(0, 149, { temp: 1 }).flat());
    await takes(states(100, { temp: 2 }));
    const older = stored(100, 249, { temp: 2 });
    expect(await points()).toEqual(stored(0, 99, { temp: 1 }).flatMap((of, i) => [...older[i]!, ...of]));
    expect(await lastValues()).toMatchObject({ temp: [time, 1], photo: [time, ''] });
  });

  it('replaces only the newest values that are older', async () => {
    const last = async (at: number, data: object) => {
      await takes({ time: time + at, data });
      const values = Object.entries(await lastValues());
      return Object.fromEntries(
        values.map(([name, value]) => [name, [(value as number[])[0]! - time, (value as unknown[])[1]]]),
      );
    };
    expect(await last(2, { temp: 1, label: 'a' })).toEqual({ temp: [2, 1], label: [2, 'a'] });
    expect(await last(3, { temp: 2 })).toEqual({ temp: [3, 2], label: [2, 'a'] });
    expect(await last(1, { temp: 3, label: 'b', door: true })).toEqual({
      temp: [3, 2],
      label: [2, 'a'],
      door: [1, true],
    });
    expect(await last(3, { temp: 4, door: false, label: 'c' })).toEqual({
      temp: [3, 4],
      label: [3, 'c'],
      door: [3, false],
    });
    expect(await last(2, { temp: 5 })).toEqual({ temp: [3, 4], label: [3, 'c'], door: [3, false] });
    expect(await last(4, { place: '1,2' })).toEqual({
      temp: [3, 4],
      label: [3, 'c'],
      door: [3, false],
      place: [4, '1,2'],
    });
    expect(await last(5, { temp: 6 })).toMatchObject({ temp: [5, 6], label: [3, 'c'], place: [4, '1,2'] });
  });

  it('uses the current time if it contains no time', async () => {
    const before = Date.now();
    await takes([{ data: { temp: 1 } }, { data: { door: true }, time: 'soon' }]);
    for (const [, at] of await points()) {
      expect(at).toBeGreaterThanOrEqual(before);
      expect(at).toBeLessThanOrEqual(Date.now());
    }
  });

  it('is converted to the attribute types, without invalid and unknown values', async () => {
    await takes({
      time,
      data: {
        temp: '7.5',
        door: 'false',
        label: 12,
        place: '$GPGLL,3719.940,N,12201.873,W,225444,A',
        wind: 1,
      },
    });
    await takes({
      time: time + 1,
      data: { temp: 'warm', door: 'ajar', place: 'home', label: 'x'.repeat(65_537) },
    });
    expect(await points()).toEqual([
      ['temp', time, 7.5],
      ['door', time, false],
      ['label', time, '12'],
      ['place', time, '37.3323333,-122.0312167'],
    ]);
  });

  it('replaces values with the same time, by attribute', async () => {
    await takes({ time, data: { temp: 1, door: true } });
    await takes({ time, data: { temp: 2, label: 'b' } });
    await takes([
      { time, data: { temp: 3 } },
      { time, data: { temp: 4 } },
    ]);
    expect(await points()).toEqual([
      ['temp', time, 4],
      ['door', time, true],
      ['label', time, 'b'],
    ]);
    expect(await lastValues()).toEqual({ temp: [time, 4], door: [time, true], label: [time, 'b'] });
  });

  it('does not replace newer values if it is late', async () => {
    await takes({ time, data: { temp: 2 } });
    await takes({ time: time - 1000, data: { temp: 1, door: false } });
    expect(await lastValues()).toEqual({ temp: [time, 2], door: [time - 1000, false] });
  });

  it('is stored completely if it is large, and again if it is repeated', async () => {
    const states = Array.from({ length: 600 }, (_, n) => ({
      time: time - n,
      data: { temp: n, label: `line\t${n}\n\\`, door: n % 2 === 0 },
    }));
    await takes(states);
    const first = await points();
    expect(first).toHaveLength(1_800);
    expect(first).toContainEqual(['label', time - 7, 'line\t7\n\\']);
    await takes(states.map((state) => ({ ...state, data: { temp: -1 } })));
    expect((await points()).filter(([name]) => name === 'temp')).toEqual(
      states.map((state) => ['temp', state.time, -1]).reverse(),
    );
  });

  it('can repeat points together with new ones', async () => {
    await takes({ time, data: { temp: 1, door: true } });
    const others = await Promise.all(Array.from({ length: 4 }, () => makeDevice()));
    for (let round = 0; round < 3; round++) {
      const again = send({ time, data: { temp: round, label: 'again' } });
      const news = others.map((one) =>
        send({ time: time + round, data: { temp: round } }, user.token, pathOf(one)),
      );
      const answers = await Promise.all([again, ...news]);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    }
    expect(await points()).toEqual([
      ['temp', time, 2],
      ['door', time, true],
      ['label', time, 'again'],
    ]);
    for (const one of others) expect(await points(one)).toEqual([0, 1, 2].map((n) => ['temp', time + n, n]));
  });

  it('shares a statement with other reports, all of which are stored', async () => {
    const devices = await Promise.all(Array.from({ length: 8 }, () => makeDevice()));
    const answers = await Promise.all(
      devices.flatMap((one) =>
        Array.from({ length: 5 }, (_, n) =>
          counted('POST', pathOf(one), user.token, { time: time + n, data: { temp: n, door: true } }),
        ),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const statements = answers.flatMap((answer) => answer.statements);
    for (const shared of [
      'FROM unnest($1::text[], $2::text[]) r (application_id, id)',
      'INSERT INTO device_points',
    ]) {
      const times = statements.filter((text) => text.includes(shared)).length;
      expect(times).toBeGreaterThan(0);
      expect(times).toBeLessThan(40);
    }
    for (const one of devices) {
      expect(await points(one)).toHaveLength(10);
      expect(await lastValues(one)).toEqual({ temp: [time + 4, 4], door: [time + 4, true] });
    }
  });

  it('runs the workflows triggered by the device with the accepted values', async () => {
    const trigger = { type: 'deviceId', key: device.id, config: {}, outputIds: [] };
    const flow = await makeFlow(test, user.token, application.id, { triggers: [trigger] });
    await takes({ time, data: { temp: '3', wind: 4 }, meta: { line: 1 } });
    await takes({ time: time - 40 * DAY, data: { temp: 4 } });
    const runs = await requestedRuns(test, { flowId: flow.id });
    expect(runs).toMatchObject([{ trigger: { data: { temp: 3 }, meta: { line: 1 } } }]);
  });

  it('queries workflows only if one has a trigger in the application, or a version is requested', async () => {
    const other = await makeApplication(test, user.token);
    const silent = await makeDevice({}, other);
    const asked = async (body: object) => {
      const { status, statements } = await counted('POST', pathOf(silent), user.token, body);
      expect(status).toBe(200);
      expect(statements.some((text) => text.includes('INSERT INTO device_points'))).toBe(true);
      return statements.filter((text) => text.includes('INSERT INTO run_inbox')).length;
    };
    expect(await asked({ data: { temp: 1 } })).toBe(0);
    expect(await asked({ data: { temp: 1 }, flowVersion: 'develop' })).toBe(1);
    const triggers = [{ type: 'deviceTag', key: 'site/', config: {}, outputIds: [] }];
    const flow = await makeFlow(test, user.token, other.id, { triggers });
    expect(await asked({ data: { temp: 1 } })).toBe(1);
    expect(await asked({ data: { wind: 1 } })).toBe(1);
    const path = `/applications/${other.id}/flows/${flow.id}`;
    expect((await test.client.delete(path, { token: user.token })).status).toBe(200);
    expect(await asked({ data: { temp: 1 } })).toBe(0);
  });

  it('is counted as one payload per state', async () => {
    await takes([
      { time, data: { temp: 1 } },
      { time: time + 1, data: { temp: 2 } },
    ]);
    expect(await countedReports(test, device.id)).toEqual({ n: 2, bytes: 20 });
  });

  it.each([
    [{}],
    [{ data: { temp: null } }],
    [{ data: { temp: [1] } }],
    [{ data: { temp: 1 }, time: {} }],
    [{ data: { temp: 1 }, colour: 1 }],
    [[{ data: { temp: 1 } }, 1]],
    [1],
    [Array.from({ length: 1_001 }, () => ({ data: { temp: 1 } }))],
  ])('is rejected with 400 for %j', async (body) => {
    const answer = await send(body);
    expect(answer).toMatchObject({ status: 400, body: { type: 'Validation' } });
    expect(answer.body.message).toMatch(/^deviceState/);
    expect(await points()).toEqual([]);
  });

  it('is rejected for a system', async () => {
    const system = await makeDevice({ deviceClass: 'system', attributes: [] });
    expect((await send({ data: {} }, user.token, pathOf(system))).status).toBe(400);
  });

  it('returns 404 for unknown devices, and requires the role collaborate', async () => {
    const other = await makeApplication(test, user.token);
    const elsewhere = pathOf({ applicationId: other.id, id: device.id });
    expect((await send({ data: {} }, user.token, elsewhere)).status).toBe(404);
    expect((await send({ data: {} }, user.token, pathOf({ ...device, id: newId() }))).status).toBe(404);
    expect((await test.client.post(path, { data: {} })).status).toBe(401);
    const org = await makeOrg(test, user.token);
    const shared = await makeApplication(test, user.token, { orgId: org.id });
    const own = await makeDevice({}, shared);
    const statuses = await Promise.all(
      (['none', 'view', 'collaborate'] as const).map(async (role) => {
        const { token } = await makeMember(test, org.id, role);
        return (await send({ data: { temp: 1 } }, token, pathOf(own))).status;
      }),
    );
    expect(statuses).toEqual([404, 403, 200]);
    await test.client.delete(`/applications/${application.id}/devices/${device.id}`, { token: user.token });
    expect((await send({ data: { temp: 1 } })).status).toBe(404);
  });
});
