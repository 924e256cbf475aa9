import { makeDevice, storePoints } from '../../../../test/make/device-points.js';
import { makeApplication } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';

const { test, user, application } = suite();

const NOBODY = '0'.repeat(24);
const HOUR = 3_600_000;
/** Far enough in the past that no value falls into the current hour. */
const THEN = Date.now() - 50 * HOUR;
const iso = (time: number) => new Date(time).toISOString();
const at = (time: number, attribute: string, value: number | string | boolean) => ({
  attribute,
  time,
  value,
});

const get = (id: string, query = '', token = user.token) =>
  test.client.get(`/applications/${application.id}/devices/${id}${query}`, { token });
const post = (query: string, body: object, token = user.token) =>
  test.client.post(`/applications/${application.id}/data/${query}`, body, { token });
const device = (more: object = {}) => makeDevice(test, application.id, user.token, more);

/** Creates a device with four reports: two attributes at once, then one of three attributes at a time. */
async function reported() {
  const made = await device();
  await storePoints(test, made, [
    at(THEN, 'pressure', 1),
    at(THEN, 'mode', 'slow'),
    at(THEN + 1000, 'pressure', 2.5),
    at(THEN + 2000, 'open', true),
    at(THEN + 3000, 'place', '47.5,8.5'),
  ]);
  return made;
}

describe('Reports of a device', () => {
  it('default to the newest one', async () => {
    const { id } = await reported();
    expect((await get(id, '/state')).body).toEqual([{ time: iso(THEN + 3000), data: { place: '47.5,8.5' } }]);
    expect((await get(id, '/state?limit=10&sortDirection=asc')).body).toEqual([
      { time: iso(THEN), data: { pressure: 1, mode: 'slow' } },
      { time: iso(THEN + 1000), data: { pressure: 2.5 } },
      { time: iso(THEN + 2000), data: { open: true } },
      { time: iso(THEN + 3000), data: { place: '47.5,8.5' } },
    ]);
    expect((await get(id, '/state?limit=2')).body.map(({ time }: any) => time)).toEqual([
      iso(THEN + 3000),
      iso(THEN + 2000),
    ]);
  });

  it.each([
    [`since=${THEN + 1000}&limit=9`, [3000, 2000, 1000]],
    [`start=${THEN + 1000}&end=${THEN + 2000}&limit=9`, [2000, 1000]],
    [`start=${THEN}&since=${THEN + 3000}&limit=9`, [3000]],
    [`duration=1000&end=${THEN + 2000}&limit=9`, [2000, 1000]],
    [`start=${THEN + 2000}&duration=1&limit=9`, [3000, 2000]],
    [`end=${THEN + 1500}`, [1000]],
    [`end=${-60 * HOUR}`, []],
    ['start=-1000', []],
    [`since=${-51 * HOUR}&sortDirection=ASC`, [0]],
    ['limit=&since=&start=&end=', [3000]],
  ])('with %s are limited to that time range', async (query, times) => {
    const { id } = await reported();
    const { body } = await get(id, `/state?${query}`);
    expect(body.map(({ time }: any) => Date.parse(time) - THEN)).toEqual(times);
  });

  it('are empty for a device that never reported', async () => {
    const { id } = await device();
    expect((await get(id, '/state')).body).toEqual([]);
    expect((await get((await device({ attributes: [] })).id, '/state')).body).toEqual([]);
  });

  it('with a future time are returned if end is in the future', async () => {
    const made = await device();
    const soon = Date.now() + HOUR;
    await storePoints(test, made, [at(THEN, 'pressure', 1), at(soon, 'pressure', 2)]);
    expect((await get(made.id, '/state')).body).toEqual([{ time: iso(THEN), data: { pressure: 1 } }]);
    expect((await get(made.id, `/state?end=${soon}`)).body).toEqual([
      { time: iso(soon), data: { pressure: 2 } },
    ]);
    expect((await get(made.id, '/compositeState')).body.pressure.value).toBe(1);
    expect((await get(made.id, `/compositeState?end=${soon}`)).body.pressure.value).toBe(2);
  });

  it.each(['limit=0', 'limit=1001', 'since=now', 'start=1.5', 'end=x', 'duration=0', 'sortDirection=up'])(
    'with %s return 400',
    async (query) => {
      const { id } = await device();
      const { status, body } = await get(id, `/state?${query}`);
      expect([status, body.message.split(' ')[0]]).toEqual([400, query.split('=')[0]]);
    },
  );

  it('with too much text return 400', async () => {
    const made = await device();
    const text = 'x'.repeat(64 * 1024);
    const points = Array.from({ length: 257 }, (_, i) => at(THEN + i, 'mode', text));
    await storePoints(test, made, points);
    const { status, body } = await get(made.id, '/state?limit=1000');
    expect([status, body.message.split(':')[0]]).toEqual([400, 'limit exceeds the maximum response size']);
    expect((await get(made.id, '/state?limit=2')).body).toHaveLength(2);
  });
});

describe('Composite state of a device', () => {
  it('contains the newest value of each attribute with its time', async () => {
    const { id } = await reported();
    expect((await get(id, '/compositeState')).body).toEqual({
      pressure: { time: iso(THEN + 1000), value: 2.5 },
      mode: { time: iso(THEN), value: 'slow' },
      open: { time: iso(THEN + 2000), value: true },
      place: { time: iso(THEN + 3000), value: '47.5,8.5' },
    });
    expect((await get(id, '/compositeState?attributes=pressure,%20open,nothing')).body).toEqual({
      pressure: { time: iso(THEN + 1000), value: 2.5 },
      open: { time: iso(THEN + 2000), value: true },
    });
  });

  it('is limited to a time range, both ends included', async () => {
    const { id } = await reported();
    expect((await get(id, `/compositeState?end=${THEN + 999}`)).body).toEqual({
      pressure: { time: iso(THEN), value: 1 },
      mode: { time: iso(THEN), value: 'slow' },
    });
    expect((await get(id, `/compositeState?start=${THEN + 1000}&end=${THEN + 1000}`)).body).toEqual({
      pressure: { time: iso(THEN + 1000), value: 2.5 },
    });
    expect((await get(id, '/compositeState?start=0')).body).toEqual({});
    expect((await get((await device()).id, '/compositeState')).body).toEqual({});
  });

  it('contains long texts and texts with any characters', async () => {
    const made = await device();
    for (const value of ['x'.repeat(60_000), '"\\\n\u2028é€😀']) {
      await storePoints(test, made, [at(THEN, 'mode', value)]);
      expect((await get(made.id, '/compositeState')).body.mode.value).toBe(value);
      expect((await get(made.id, '/state')).body[0].data.mode).toBe(value);
    }
  });

  it('omits the values reported before an attribute changed its data type', async () => {
    const { id } = await reported();
    const attributes = [{ name: 'pressure', dataType: 'string' }];
    const path = `/applications/${application.id}/devices/${id}`;
    await test.client.patch(path, { attributes }, { token: user.token });
    expect((await get(id, '/compositeState')).body).toEqual({});
    expect((await get(id, '/state?limit=9')).body).toEqual([]);
  });

  it.each(['start=x', 'end=', 'attributes=a&attributes=b'])(
    'with %s returns 400, or uses the default',
    async (query) => {
      const { status } = await get((await device()).id, `/compositeState?${query}`);
      expect(status).toBe(query === 'end=' ? 200 : 400);
    },
  );
});

it.each(['/state', '/compositeState'])(
  '%s returns 404 for an unknown device and 401 for an invalid token',
  async (path) => {
    const { id } = await device();
    const other = await makeApplication(test, user.token);
    const elsewhere = await makeDevice(test, other.id, user.token);
    expect((await get(NOBODY, path)).body.message).toBe('Device was not found');
    expect((await get(elsewhere.id, path)).status).toBe(404);
    expect((await get('nothing', path)).status).toBe(400);
    expect((await get(id, path, 'nonsense')).status).toBe(401);
    await test.client.delete(`/applications/${application.id}/devices/${id}`, { token: user.token });
    expect((await get(id, path)).status).toBe(404);
  },
);

describe('Composite states of devices', () => {
  it('are returned for all devices in one page', async () => {
    const { id, name } = await reported();
    const silent = await device({ name: 'zzz' });
    const { body } = await get('compositeState');
    expect(body).toEqual({
      applicationId: application.id,
      count: 2,
      totalCount: 2,
      page: 0,
      perPage: 100,
      sortField: 'name',
      sortDirection: 'asc',
      items: [
        { id, name, compositeState: (await get(id, '/compositeState')).body },
        { id: silent.id, name: 'zzz', compositeState: {} },
      ],
    });
  });

  it('are paged, sorted, filtered and limited to a time range', async () => {
    const { id } = await reported();
    await device({ name: 'zzz' });
    const page = (await get('compositeState?perPage=1&page=1&sortField=name&sortDirection=desc')).body;
    expect([page.totalCount, page.items.map((item: any) => item.id)]).toEqual([2, [id]]);
    const query = encodeURIComponent(JSON.stringify({ id }));
    const found = (await get(`compositeState?query=${query}&end=${THEN}&attributes=pressure`)).body;
    expect(found.query).toEqual({ id });
    expect(found.items).toMatchObject([{ id, compositeState: { pressure: { value: 1 } } }]);
    expect(Object.keys(found.items[0].compositeState)).toEqual(['pressure']);
    for (const sortField of ['id', 'creationDate', 'lastUpdated', 'connectionStatus'])
      expect((await get(`compositeState?sortField=${sortField}`)).body.count).toBe(2);
  });

  it.each(['sortField=x', 'perPage=1001', 'page=-1', 'query=x', 'start=x'])(
    'with %s return 400',
    async (query) => {
      expect((await get(`compositeState?${query}`)).status).toBe(400);
    },
  );

  it('of an unknown application return 404', async () => {
    const path = `/applications/${NOBODY}/devices/compositeState`;
    expect((await test.client.get(path, { token: user.token })).status).toBe(404);
  });
});

describe('Last values query', () => {
  it('returns the values of one attribute or of all', async () => {
    const { id } = await reported();
    const silent = await device();
    const deviceIds = [id.toUpperCase(), silent.id, NOBODY];
    expect((await post('last-value-query', { attribute: 'pressure', deviceIds })).body).toEqual({
      [id]: { time: iso(THEN + 1000), data: { pressure: 2.5 } },
    });
    expect((await post('last-value-query', { deviceIds })).body).toEqual({
      [id]: { time: iso(THEN + 3000), data: { pressure: 2.5, mode: 'slow', open: true, place: '47.5,8.5' } },
    });
    expect((await post('last-value-query', { deviceIds, end: THEN })).body).toEqual({
      [id]: { time: iso(THEN), data: { pressure: 1, mode: 'slow' } },
    });
    expect((await post('last-value-query', { deviceIds, end: -100 * HOUR })).body).toEqual({});
    expect((await post('last-value-query', { deviceIds: [] })).body).toEqual({});
  });

  it('selects devices by tag and by query', async () => {
    const made = await device({ tags: [{ key: 'site', value: 'north' }] });
    await storePoints(test, made, [at(THEN, 'pressure', 1)]);
    const other = await reported();
    for (const selection of [{ deviceTags: [{ key: 'site' }] }, { deviceQuery: { name: made.name } }]) {
      const { body } = await post('last-value-query', selection);
      expect(Object.keys(body)).toEqual([made.id]);
    }
    const { body } = await post('last-value-query', {
      deviceTags: [{ value: 'north' }],
      deviceIds: [other.id],
    });
    expect(Object.keys(body).sort()).toEqual([made.id, other.id].sort());
  });

  it.each<[object, string]>([
    [{}, 'query.deviceIds, query.deviceTags or query.deviceQuery is required'],
    [{ attribute: 'a b' }, 'query.attribute'],
    [{ end: 'now' }, 'query.end'],
    [{ end: 1e300 }, 'query.end'],
    [{ deviceIds: ['x'] }, 'query.deviceIds'],
    [{ deviceQuery: { nothing: 1 } }, 'query.deviceQuery'],
    [{ since: 1 }, 'query.since'],
  ])('with %j returns 400', async (body, field) => {
    const answer = await post('last-value-query', body);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(field)]);
  });
});

it.each(['last-value-query', 'time-series-query'])(
  '%s requires a token and an existing application',
  async (query) => {
    expect((await post(query, {}, 'nonsense')).status).toBe(401);
    const path = `/applications/${NOBODY}/data/${query}`;
    expect((await test.client.post(path, {}, { token: user.token })).body.message).toBe(
      'Application was not found',
    );
  },
);
