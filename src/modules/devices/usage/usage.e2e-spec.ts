import { makeDevice as makeAnyDevice } from '../../../../test/make/device-tokens.js';
import {
  defaultInstance,
  makeApplication,
  makeInstanceMember,
  makeMember,
  makeOrg,
  makeUser,
  tokenOf,
} from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';
import { transfersIn } from '../../../../test/make/transfers.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { newId } from '../../../platform/repositories/resource.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const OPERATIONS = ['payloadCounts', 'payloadCountsBreakdown', 'deviceCounts', 'notebookMinuteCounts'];

const { test, user } = suite();
let org: any;
let application: any;
let admin: { token: string };

beforeEach(async () => {
  org = await makeOrg(test, user.token);
  application = await makeApplication(test, user.token, { orgId: org.id });
  admin = await makeInstanceMember(test, 'view');
});

const get = (path: string, token = user.token) => test.client.get(path, { token });
const post = (path: string, body: object) => test.client.post(path, body, { token: user.token });
const makeDevice = ({ id } = application): Promise<any> => makeAnyDevice(test, user.token, id);
/** Counts payloads that arrived some time ago. */
const count = (payloads: {
  type: string;
  channel?: string;
  n?: number;
  bytes?: number;
  device?: string;
  ago?: number;
}) => {
  const { type, channel = 'device.rest', n = 1, bytes = 10, device = null, ago = 0 } = payloads;
  return test.dataSource.query(
    `INSERT INTO payload_deltas (application_id, owner_id, device_id, time, type, channel, n, bytes)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [application.id, application.ownerId, device, new Date(Date.now() - ago), type, channel, n, bytes],
  );
};
/** Paths that return the usage of an application in an organization, each with a permitted token. */
const places = async (): Promise<[string, string][]> => [
  [`/applications/${application.id}`, user.token],
  [`/orgs/${org.id}`, user.token],
  [`/instances/${await defaultInstance(test)}/orgs/${org.id}`, admin.token],
];

describe('Payload counts', () => {
  it('include those of a webhook and a virtual button, by source', async () => {
    const path = `/applications/${application.id}`;
    const { body: hook } = await post(`${path}/webhooks`, { name: 'orders' });
    const { body: flow } = await post(`${path}/flows`, {
      name: 'flow',
      triggers: [{ type: 'virtualButton', key: 'go' }],
    });
    for (const body of ['12345', '123'])
      await fetch(`${test.client.url}/webhooks/${hook.token}`, { method: 'POST', body });
    await post(`${path}/flows/${flow.id}/virtualButton`, { key: 'go', payload: [1] });
    const numbers = { webhook: { 'public.rest': 2 }, virtualButton: { 'user.rest': 1 } };
    for (const [place, token] of await places()) {
      expect((await get(`${place}/payloadCounts`, token)).body).toEqual(numbers);
      const { body } = await get(`${place}/payloadCounts?asBytes=true`, token);
      expect(body).toEqual({ webhook: { 'public.rest': 8 }, virtualButton: { 'user.rest': 3 } });
      const { body: shown } = await get(`${place}?summaryInclude=payloadCount`, token);
      expect(shown.summary).toEqual({ payloadCount: numbers });
    }
  });

  it('are returned in steps, for billable or all payloads', async () => {
    await count({ type: 'deviceState', n: 3, bytes: 30 });
    await count({ type: 'event', n: 4, bytes: 5 });
    for (const [place, token] of await places())
      for (const [query, last] of [
        ['', 3],
        ['&asBytes=true', 30],
        ['&includeNonBillable=true', 7],
        ['&includeNonBillable=1&asBytes=1', 35],
      ] as const) {
        const { body } = await get(`${place}/payloadCountsBreakdown?start=-${3 * DAY_MS}${query}`, token);
        expect(body.counts.map(({ value }: any) => value)).toEqual([0, 0, 0, last]);
        expect([body.start, body.counts[0].date]).toEqual([body.start, body.start]);
        expect(new Date(body.end).getTime() - new Date(body.start).getTime()).toBe(4 * DAY_MS);
      }
  });

  it('are also available by hour', async () => {
    await count({ type: 'deviceState', n: 2 });
    await count({ type: 'deviceState', n: 3, ago: HOUR_MS });
    const { body } = await get(
      `/applications/${application.id}/payloadCountsBreakdown?start=-${2 * HOUR_MS}&resolution=${HOUR_MS}`,
    );
    expect(body.counts.map(({ value }: any) => value)).toEqual([0, 3, 2]);
  });

  it('default to the last 30 days for an application, and to the current month otherwise', async () => {
    const month = new Date().toISOString().slice(0, 7);
    const before = Date.now() - Date.parse(`${month}-01T00:00:00Z`) + HOUR_MS;
    await count({ type: 'timer', channel: 'timer.flow', ago: before });
    const hours = `?start=-${before + HOUR_MS}`;
    for (const [place, token] of await places()) {
      const known = place.startsWith('/applications') && before < 30 * DAY_MS;
      const timers = { timer: { 'timer.flow': 1 } };
      expect((await get(`${place}/payloadCounts`, token)).body).toEqual(known ? timers : {});
      expect((await get(`${place}/payloadCounts${hours}`, token)).body).toEqual(timers);
      expect((await get(`${place}/payloadCounts${hours}&end=-${before + HOUR_MS - 1}`, token)).body).toEqual(
        {},
      );
    }
  });

  it('remain with the owner of the application at the time', async () => {
    await count({ type: 'deviceState', n: 2 });
    const { transfer } = transfersIn(() => test);
    const moved = await transfer(
      user.token,
      { id: org.id, type: 'organization' },
      { id: user.id, type: 'user' },
      [application.id],
    );
    expect(moved.status).toBe(200);
    application = (await get(`/applications/${application.id}`)).body;
    await count({ type: 'deviceState', n: 5 });
    const counts = async (path: string) => (await get(`${path}/payloadCounts`)).body;
    expect(await counts(`/orgs/${org.id}`)).toEqual({ deviceState: { 'device.rest': 2 } });
    expect(await counts('/me')).toEqual({ deviceState: { 'device.rest': 5 } });
    expect(await counts(`/applications/${application.id}`)).toEqual({ deviceState: { 'device.rest': 7 } });
  });

  it('of an instance include everything in it', async () => {
    const path = `/instances/${await defaultInstance(test)}`;
    const timers = async (): Promise<number> =>
      (await get(`${path}/payloadCounts`, admin.token)).body.timer?.['timer.flow'] ?? 0;
    const before = await timers();
    await count({ type: 'timer', channel: 'timer.flow', n: 9 });
    expect((await timers()) - before).toBe(9);
    const { body } = await get(`${path}/payloadCountsBreakdown`, admin.token);
    expect(body.counts.at(-1).value).toBeGreaterThanOrEqual(9);
  });
});

describe('Payload counts of a device', () => {
  it('include only those of the device', async () => {
    const [device, other] = [await makeDevice(), await makeDevice()];
    await count({ type: 'deviceState', n: 3, device: device.id });
    await count({ type: 'deviceCommand', n: 2, device: device.id, channel: 'user.rest', ago: DAY_MS });
    await count({ type: 'deviceState', n: 7, device: other.id });
    await count({ type: 'deviceState', n: 11 });
    const path = `/applications/${application.id}/devices/${device.id}`;
    expect((await get(`${path}/payloadCounts`)).body).toEqual({
      deviceCommand: 2,
      deviceConnect: 0,
      deviceDisconnect: 0,
      deviceState: 3,
      mqttIn: 0,
      mqttOut: 0,
    });
    const { body } = await get(`${path}/payloadCountsBreakdown`);
    expect(body.counts).toHaveLength(31);
    expect(body.counts.slice(-2).map(({ value }: any) => value)).toEqual([2, 3]);
    const hours = await get(`${path}/payloadCountsBreakdown?start=-1&resolution=${HOUR_MS}`);
    expect(hours.body.counts.at(-1).value).toBe(3);
  });

  it.each(['payloadCounts', 'payloadCountsBreakdown'])(
    'return 404 if the device does not exist: %s',
    async (of) => {
      const other = await makeApplication(test, user.token);
      const device = await makeDevice(other);
      for (const id of [newId(), device.id]) {
        const { status, body } = await get(`/applications/${application.id}/devices/${id}/${of}`);
        expect([status, body]).toEqual([404, { type: 'NotFound', message: 'Device was not found' }]);
      }
      const own = `/applications/${other.id}/devices/${device.id}/${of}`;
      expect((await get(`${own}?start=5&end=4`)).status).toBe(400);
      expect((await get(own, (await makeUser(test)).token)).status).toBe(404);
      expect((await test.client.get(own)).status).toBe(401);
      expect((await get(own, tokenOf(test, user.id, ['device.get']))).status).toBe(403);
    },
  );
});

describe('Device counts', () => {
  it('are calculated daily for the application and everything above it', async () => {
    const [first] = [await makeDevice(), await makeDevice(), await makeDevice()];
    await test.client.delete(`/applications/${application.id}/devices/${first.id}`, { token: user.token });
    for (const [place, token] of await places()) {
      const { body } = await get(`${place}/deviceCounts?start=-${DAY_MS}`, token);
      const [yesterday, today] = body.counts;
      expect(yesterday).toMatchObject({ created: 0, deleted: 0, total: 0 });
      expect(today).toMatchObject({ date: `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z` });
      expect(today).toMatchObject({ created: 3, deleted: 1, total: 2 });
      expect(body).toMatchObject({ start: yesterday.date });
    }
  });

  const folded = () =>
    waitUntil(async () => {
      const query = 'SELECT FROM count_deltas WHERE holder_id = $1';
      return (await test.dataSource.query(query, [application.id])).length === 0;
    });

  it('change when their application is moved or deleted', async () => {
    await makeDevice();
    await folded();
    await test.client.delete(`/applications/${application.id}`, { token: user.token });
    const { body } = await get(`/orgs/${org.id}/deviceCounts?start=-1`);
    expect(body.counts.at(-1)).toMatchObject({ created: 1, deleted: 1, total: 0 });
  });

  it('of earlier days are part of the total, including late changes', async () => {
    const change = (n: number, days: number) =>
      test.dataSource.query(
        `INSERT INTO count_deltas (holder_id, owner_id, kind, n, time) VALUES ($1, $2, 'deviceCount:standalone', $3, $4)`,
        [application.id, org.id, n, new Date(Date.now() - days * DAY_MS)],
      );
    await change(5, 3);
    await change(-2, 1);
    await folded();
    await change(4, 2);
    const totals = async () => {
      const { body } = await get(`/applications/${application.id}/deviceCounts?start=-${2 * DAY_MS}`);
      return body.counts.map(({ total }: any) => total);
    };
    expect(await totals()).toEqual([9, 7, 7]);
    await folded();
    expect(await totals()).toEqual([9, 7, 7]);
  });
});

describe('Notebook minutes', () => {
  it('are zero for each day', async () => {
    for (const [place, token] of await places()) {
      const { body } = await get(`${place}/notebookMinuteCounts?start=-${DAY_MS}&end=0`, token);
      const none = { minutes: 0, completed: 0, canceled: 0, errored: 0, timeout: 0 };
      expect(body.counts).toEqual([
        { date: body.start, ...none },
        { date: expect.any(String), ...none },
      ]);
    }
  });
});

describe.each(OPERATIONS)('%s', (operation) => {
  const paths = async () => [
    ...(await places()).map(([place]) => place),
    '/me',
    `/instances/${await defaultInstance(test)}`,
  ];

  it.each([
    ['start=x', /start must be an integer/],
    ['end=1.5', /end must be an integer/],
    ['start=-5&end=-6', /start must be before end/],
    [`start=-${401 * DAY_MS}`, /start must be in the last 400 days/],
  ])('is rejected with 400 for %s', async (query, message) => {
    for (const path of await paths()) {
      const token = path.startsWith('/instances') ? admin.token : user.token;
      const { status, body } = await get(`${path}/${operation}?${query}`, token);
      expect([status, body.message]).toEqual([400, expect.stringMatching(message)]);
    }
  });

  it('requires read access', async () => {
    const stranger = await makeUser(test);
    const outsider = await makeMember(test, org.id, 'none');
    for (const path of await paths()) {
      const of = `${path}/${operation}`;
      expect((await test.client.get(of)).status).toBe(401);
      expect((await get(of, tokenOf(test, user.id, ['flow.get']))).status).toBe(403);
      if (path === '/me') continue;
      expect((await get(of, stranger.token)).status).toBe(404);
      if (path.startsWith('/applications')) expect((await get(of, outsider.token)).status).toBe(404);
    }
  });
});

it('Hourly counts are available for 90 days, and steps are days or hours', async () => {
  const path = `/applications/${application.id}/payloadCountsBreakdown`;
  const { body } = await get(`${path}?start=-${91 * DAY_MS}&resolution=${HOUR_MS}`);
  expect(body.message).toBe('start must be in the last 90 days');
  expect((await get(`${path}?resolution=60000`)).status).toBe(400);
});

describe('Usage summaries of applications', () => {
  const path = '/applications/periodSummaries';

  it('contain the daily usage of each application', async () => {
    const other = await makeApplication(test, user.token, { orgId: org.id });
    await makeDevice();
    await count({ type: 'deviceState', n: 3, bytes: 30 });
    await count({ type: 'event', n: 4, bytes: 5 });
    const of = `${path}?orgId=${org.id}&start=-${DAY_MS}&sortField=id`;
    const { status, body } = await get(`${of}&perPage=1`);
    expect([status, body]).toEqual([
      200,
      {
        items: [
          {
            id: application.id,
            applicationId: application.id,
            name: application.name,
            summary: {
              payloadCounts: expect.objectContaining({
                counts: [expect.anything(), expect.objectContaining({ value: 3 })],
              }),
              deviceCounts: expect.objectContaining({
                counts: [
                  expect.objectContaining({ total: 0 }),
                  expect.objectContaining({ created: 1, total: 1 }),
                ],
              }),
              notebookMinuteCounts: expect.objectContaining({
                counts: [expect.anything(), expect.objectContaining({ minutes: 0 })],
              }),
            },
          },
        ],
        count: 1,
        totalCount: 2,
        page: 0,
        perPage: 1,
        sortField: 'id',
        sortDirection: 'asc',
      },
    ]);
    const values = async (query: string) => {
      const { items } = (await get(`${of}&include=payloadCounts${query}`)).body;
      return items.map(({ id, summary }: any) => [
        id,
        Object.keys(summary),
        summary.payloadCounts.counts[1].value,
      ]);
    };
    const only = ['payloadCounts'];
    expect(await values('')).toEqual([
      [application.id, only, 3],
      [other.id, only, 0],
    ]);
    // Creating a device counts as a payload too, but is not billed.
    const bytes = (await get(`/applications/${application.id}/payloadCounts?asBytes=true`)).body;
    const made = bytes.deviceCreate['user.rest'];
    expect(await values('&asBytes=true&includeNonBillable=true')).toEqual([
      [application.id, only, 35 + made],
      [other.id, only, 0],
    ]);
    const { items } = (await get(`${of}&exclude=payloadCounts,deviceCounts&filter=${other.name}`)).body;
    expect(items.map(({ id, summary }: any) => [id, Object.keys(summary)])).toEqual([
      [other.id, ['notebookMinuteCounts']],
    ]);
  });

  it('include only applications that the caller can access', async () => {
    const sandbox = await makeApplication(test, user.token);
    const ids = async (query: string, token = user.token) =>
      (await get(`${path}?${query}`, token)).body.items.map(({ id }: any) => id).sort();
    expect(await ids('orgId=')).toEqual([sandbox.id]);
    expect(await ids('')).toEqual([application.id, sandbox.id].sort());
    expect(await ids('', (await makeUser(test)).token)).toEqual([]);
    expect((await test.client.get(path)).status).toBe(401);
    expect((await get(path, tokenOf(test, user.id, ['applications.get']))).status).toBe(403);
  });

  it.each([
    ['include=x', 'include must be one or more of payloadCounts, deviceCounts, notebookMinuteCounts'],
    [
      'exclude=deviceCounts,y',
      'exclude must be one or more of payloadCounts, deviceCounts, notebookMinuteCounts',
    ],
    ['asBytes=2', 'asBytes must be true, false, 1 or 0'],
    ['start=2&end=1', 'start must be before end, and not in the future'],
    [
      `start=-${399 * DAY_MS}&perPage=101`,
      'perPage multiplied by the 400 days of the time range must be at most 40000',
    ],
  ])('are rejected with 400 for %s', async (query, message) => {
    const { status, body } = await get(`${path}?${query}`);
    expect([status, body.message]).toEqual([400, message]);
  });
});
