import fc from 'fast-check';
import { makeDevice, storePoints } from '../../../../test/make/device-points.js';
import { plainSeries, type PlainPoint, type PlainQuery } from '../../../../test/make/plain-series.js';
import { suite } from '../../../../test/setup/suite.js';
import { DeviceHoursRepository } from '../device-state/device-hours.repository.js';

const { test, user, application } = suite();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Start of an hour a few days ago. */
const BASE = Math.floor(Date.now() / HOUR) * HOUR - 100 * HOUR;

const ask = async (body: object) => {
  const path = `/applications/${application.id}/data/time-series-query`;
  return test.client.post(path, body, { token: user.token });
};

describe('Aggregations at all resolutions', () => {
  const time = fc.oneof(
    fc.integer({ min: 0, max: 5 * HOUR }),
    fc.integer({ min: 0, max: 10 }).map((half) => half * 30 * MINUTE),
  );
  const point: fc.Arbitrary<PlainPoint> = fc.oneof(
    fc.record({
      attribute: fc.constant('pressure'),
      time,
      value: fc.integer({ min: -40, max: 40 }).map((n) => n / 4),
    }),
    fc.record({ attribute: fc.constant('open'), time, value: fc.boolean() }),
    fc.record({
      attribute: fc.constant('mode'),
      time,
      value: fc.constantFrom('a', '"b"\\', 'x'.repeat(300)),
    }),
  );
  const query: fc.Arbitrary<PlainQuery> = fc.record({
    start: time,
    end: time,
    resolution: fc.constantFrom(null, MINUTE, 7 * MINUTE, HOUR, 90 * MINUTE, 2 * HOUR, 24 * HOUR),
    type: fc.constantFrom(
      ...['FIRST', 'LAST', 'COUNT', 'MAX', 'MIN', 'MEDIAN', 'MEAN', 'SUM', 'STD_DEV', 'NONE', 'TIMEATVALUE'],
    ),
    value: fc.constantFrom(0, 1, true, 'a'),
    limit: fc.option(fc.integer({ min: 1, max: 4 })),
    order: fc.constantFrom('asc', 'desc'),
  });
  const batches = fc.array(fc.array(point, { maxLength: 40 }), { minLength: 1, maxLength: 3 });
  const queries = fc.array(query, { minLength: 12, maxLength: 12 });

  const later = <T extends { time: number }>(point: T): T => ({ ...point, time: BASE + point.time });

  it('match a reference implementation for late and repeated points, with and without hourly sums', async () => {
    const hours = test.app.get(DeviceHoursRepository);
    await fc.assert(
      fc.asyncProperty(batches, queries, async (reports, asked) => {
        const device = await makeDevice(test, application.id, user.token);
        const points = reports.map((report) => report.map(later));
        for (const [i, report] of points.entries()) {
          await storePoints(test, device, report);
          // The last batch is not yet part of the hourly sums when it is queried.
          if (i < points.length - 1) while ((await hours.aggregate(Date.now(), 1000)) > 0);
        }
        for (const { type, value, limit, start, end, ...query } of asked) {
          if (start === end) continue;
          const span = { start: BASE + Math.min(start, end), end: BASE + Math.max(start, end) };
          const plain = plainSeries(points.flat(), { ...query, ...span, type, value, limit });
          const aggregation = type === 'TIMEATVALUE' ? { type, options: { value } } : type;
          const { status, body } = await ask({
            ...span,
            aggregation,
            order: query.order,
            ...(query.resolution === null ? {} : { resolution: query.resolution }),
            ...(limit === null ? {} : { limit }),
            deviceIds: [device.id],
          });
          expect(status).toBe(200);
          expect(roughly(body.devices[device.id].points)).toEqual(roughly(plain));
        }
      }),
      { numRuns: 10 },
    );
  });
});

describe('Time series', () => {
  const at = (time: number, attribute: string, value: PlainPoint['value']) => ({
    attribute,
    time: BASE + time,
    value,
  });
  const device = async (points: readonly PlainPoint[], more: object = {}) => {
    const made = await makeDevice(test, application.id, user.token, more);
    await storePoints(test, made, points);
    return made;
  };
  const iso = (time: number) => new Date(BASE + time).toISOString();
  const SPAN = { start: BASE, end: BASE + 10 * HOUR };

  it('contains all selected devices and the parameters of the query', async () => {
    const tags = [
      { key: 'site', value: 'north' },
      { key: 'site', value: 'west' },
    ];
    const made = await device([at(1, 'pressure', 2), at(2, 'pressure', 3), at(HOUR, 'mode', 'slow')], {
      tags,
    });
    const silent = await device([]);
    const query = { ...SPAN, resolution: HOUR, deviceTags: [{ key: 'site' }], deviceIds: [silent.id] };
    expect((await ask(query)).body).toEqual({
      start: iso(0),
      end: iso(10 * HOUR),
      resolution: HOUR,
      aggregation: 'MEAN',
      limit: null,
      order: 'asc',
      devices: {
        [made.id]: {
          name: made.name,
          tags: { site: ['north', 'west'] },
          points: [{ time: iso(0), data: { pressure: 2.5 } }],
        },
        [silent.id]: { name: silent.name, tags: {}, points: [] },
      },
    });
  });

  it('contains unaggregated points without an aggregation, and one step for an aggregation without a resolution', async () => {
    const { id } = await device([at(1, 'pressure', 2), at(1, 'open', false), at(5, 'mode', 'slow')]);
    const points = async (query: object) =>
      (await ask({ ...SPAN, deviceIds: [id], ...query })).body.devices[id].points;
    expect(await points({})).toEqual([
      { time: iso(1), data: { pressure: 2, open: false } },
      { time: iso(5), data: { mode: 'slow' } },
    ]);
    expect(await points({ limit: 1, order: 'desc' })).toEqual([{ time: iso(5), data: { mode: 'slow' } }]);
    expect(await points({ aggregation: { type: 'LAST', options: {} } })).toEqual([
      { time: iso(0), data: { pressure: 2, open: false, mode: 'slow' } },
    ]);
    expect(await points({ attributes: ['mode', 'nothing'], aggregation: 'COUNT' })).toEqual([
      { time: iso(0), data: { mode: 1 } },
    ]);
    expect(await points({ attributes: [] })).toEqual([]);
    expect(await points({ attributes: ['mode'], aggregation: 'MEAN' })).toEqual([]);
  });

  it('measures the time at a value until now, including the value before the start', async () => {
    const { id } = await device([at(-2 * 24 * HOUR, 'open', true), at(HOUR, 'open', false)]);
    const points = async (query: object) =>
      (await ask({ deviceIds: [id], ...query })).body.devices[id].points;
    const aggregation = (value: unknown) => ({ type: 'TIMEATVALUE', options: { value } });
    const query = { ...SPAN, end: BASE + 3 * HOUR, resolution: 2 * HOUR, aggregation: aggregation('true') };
    const sum = (await points(query)).reduce((total: number, { data }: any) => total + data.open, 0);
    expect(sum).toBe(HOUR);
    const now = Date.now();
    const [{ data }] = await points({
      start: BASE + HOUR,
      end: now + 24 * HOUR,
      aggregation: aggregation(false),
    });
    expect(data.open).toBeGreaterThanOrEqual(now - BASE - HOUR);
    expect(data.open).toBeLessThan(now - BASE);
    expect(await points({ start: now + HOUR, end: now + 2 * HOUR, aggregation: aggregation(false) })).toEqual(
      [],
    );
    const nowhere = await points({ ...query, aggregation: aggregation('nowhere') });
    expect(nowhere.map((point: any) => point.data.open)).toContain(0);
  });

  it.each<[object, string]>([
    [{}, 'query.deviceIds, query.deviceTags or query.deviceQuery is required'],
    [{ start: 0 }, 'query.end must be later than query.start'],
    [{ resolution: 1 }, 'query.resolution results in more than 10080 steps'],
    [{ resolution: 0 }, 'query.resolution'],
    [{ resolution: 1.5 }, 'query.resolution'],
    [{ duration: 0 }, 'query.duration'],
    [{ limit: 0 }, 'query.limit'],
    [{ order: 'up' }, 'query.order'],
    [{ aggregation: 'MODE' }, 'query.aggregation'],
    [{ aggregation: 'TIMEATVALUE' }, 'query.aggregation'],
    [{ aggregation: { type: 'TIMEATVALUE' } }, 'query.aggregation'],
    [{ attributes: ['a b'] }, 'query.attributes'],
    [{ deviceTags: [{ tag: 'x' }] }, 'query.deviceTags'],
    [{ deviceQuery: { name: { $like: 'x' } } }, 'query.deviceQuery'],
    [{ nothing: 1 }, 'query.nothing'],
  ])('returns 400 for %j', async (query, message) => {
    const { status, body } = await ask(query);
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
  });

  it('returns 400 for too many attributes or too much text', async () => {
    const text = 'x'.repeat(64 * 1024);
    const { id } = await device(Array.from({ length: 257 }, (_, i) => at(i, 'mode', text)));
    const { status, body } = await ask({ ...SPAN, deviceIds: [id] });
    expect([status, body.message.split(':')[0]]).toEqual([
      400,
      'query.start exceeds the maximum response size',
    ]);
    expect((await ask({ ...SPAN, deviceIds: [id], limit: 2 })).body.devices[id].points).toHaveLength(2);
  });
});

/** Rounds values, because their last digits depend on the order of addition. */
const roughly = (points: { time: string; data: Record<string, unknown> }[]) =>
  points.map(({ time, data }) => ({
    time,
    data: Object.fromEntries(
      Object.entries(data).map(([name, value]) => [
        name,
        typeof value === 'number' ? Math.round(value * 1e9) / 1e9 + 0 : value,
      ]),
    ),
  }));
