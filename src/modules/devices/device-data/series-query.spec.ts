import { MAX_TIME } from '../../../platform/lists/list-query.js';
import {
  requestedAggregation,
  MAX_STEPS,
  readSeriesQuery,
  supportsType,
  type TimeSeriesQuery,
} from './series-query.js';

const NOW = 1_800_000_123_456;
const DAY = 86_400_000;
const read = (query: TimeSeriesQuery) => readSeriesQuery(query, NOW);

describe('Time range of a series', () => {
  it.each<[TimeSeriesQuery, number, number]>([
    [{}, NOW - DAY, NOW],
    [{ duration: 1000 }, NOW - 1000, NOW],
    [{ end: -500, duration: 1000 }, NOW - 1500, NOW - 500],
    [{ start: -1000 }, NOW - 1000, NOW],
    [{ start: 1, end: 2 }, 1, 2],
    [{ start: -1000, duration: 5 }, NOW - 1000, NOW],
    [{ end: 5, duration: 1000 }, 0, 5],
    [{ start: 10.9, end: 20.9 }, 10, 20],
  ])('of %j is from %d to %d', (query, start, end) => {
    expect(read(query)).toMatchObject({ start, end });
  });

  it.each<[TimeSeriesQuery, string]>([
    [{ start: 0, end: 0 }, 'query.end must be later than query.start'],
    [{ start: 5, end: 4 }, 'query.end must be later than query.start'],
    [{ start: -1, end: -2 }, 'query.end must be later than query.start'],
    [{ end: MAX_TIME + 1 }, 'query.end must be at most'],
    [{ start: MAX_TIME + 1 }, 'query.start must be at most'],
  ])('of %j is rejected', (query, message) => {
    expect(() => read(query)).toThrow(message);
  });
});

describe('Steps of a series', () => {
  it.each<[TimeSeriesQuery, number | null]>([
    [{}, null],
    [{ resolution: 60_000 }, 60_000],
    [{ resolution: 60_000, aggregation: 'NONE' }, null],
    [{ aggregation: 'MAX' }, null],
    [{ resolution: 1, aggregation: { type: 'COUNT' }, start: 1, end: 2 }, 1],
  ])('of %j have the resolution %d', (query, resolution) => {
    expect(read(query).resolution).toBe(resolution);
  });

  it('are counted from multiples of their length', () => {
    const most = { start: 1000, end: 1000 * (MAX_STEPS + 1), resolution: 1000 };
    expect(read(most).resolution).toBe(1000);
    for (const query of [{ start: 999 }, { end: most.end + 1 }])
      expect(() => read({ ...most, ...query })).toThrow('query.resolution results in more than 10080 steps');
    expect(read({ ...most, end: most.end + 1, aggregation: 'NONE' }).resolution).toBeNull();
  });
});

describe('Aggregation of a series', () => {
  it('defaults to MEAN with a resolution and to NONE without', () => {
    expect(requestedAggregation({ resolution: 1000 })).toBe('MEAN');
    expect(requestedAggregation({})).toBe('NONE');
    expect(requestedAggregation({ aggregation: { type: 'SUM', options: {} } })).toEqual({
      type: 'SUM',
      options: {},
    });
    expect(read({ aggregation: { type: 'TIMEATVALUE', options: { value: false } } })).toMatchObject({
      type: 'TIMEATVALUE',
      value: false,
    });
  });

  it('supports only numbers or all data types, depending on its type', () => {
    for (const type of ['MAX', 'MIN', 'MEDIAN', 'MEAN', 'SUM', 'STD_DEV'] as const)
      expect([supportsType(type, 'number'), supportsType(type, 'string'), supportsType(type, 'gps')]).toEqual(
        [true, false, false],
      );
    for (const type of ['FIRST', 'LAST', 'COUNT', 'NONE', 'TIMEATVALUE'] as const)
      expect([
        supportsType(type, 'number'),
        supportsType(type, 'boolean'),
        supportsType(type, 'blob'),
      ]).toEqual([true, true, true]);
  });
});
