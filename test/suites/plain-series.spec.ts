import { plainSeries, type PlainPoint } from '../make/plain-series.js';

const at = (time: number, value: PlainPoint['value'], attribute = 'a'): PlainPoint => ({
  attribute,
  time,
  value,
});
const NUMBERS = [at(1, 4), at(9, 2), at(10, 6), at(19, 8), at(25, 1)];
const ALL = { start: 0, end: 30, resolution: null };
const value = (type: string, points = NUMBERS) => plainSeries(points, { ...ALL, type })[0]?.data.a;

describe('A reference series', () => {
  it('has known aggregates of a few numbers', () => {
    expect(
      ['FIRST', 'LAST', 'COUNT', 'MAX', 'MIN', 'MEDIAN', 'MEAN', 'SUM'].map((type) => value(type)),
    ).toEqual([4, 1, 5, 8, 1, 4, 4.2, 21]);
    expect(
      value('STD_DEV', [at(1, 2), at(2, 4), at(3, 4), at(4, 4), at(5, 5), at(6, 5), at(7, 7), at(8, 9)]),
    ).toBe(2);
    expect(value('MEDIAN', NUMBERS.slice(1))).toBe(4);
    expect([value('MEAN', [at(1, 'x')]), value('COUNT', [at(1, 'x')])]).toEqual([undefined, 1]);
  });

  it('assigns each point to one step, keeps the later of two points, and excludes the end', () => {
    const points = [...NUMBERS, at(9, 3), at(30, 9)];
    const steps = plainSeries(points, { ...ALL, type: 'SUM', resolution: 10 });
    expect(steps.map(({ data }) => data.a)).toEqual([7, 14, 1]);
    expect(steps[1]!.time).toBe('1970-01-01T00:00:00.010Z');
    const newest = plainSeries(points, { ...ALL, type: 'NONE', limit: 2, order: 'desc' });
    expect(newest.map(({ data }) => data.a)).toEqual([1, 8]);
  });

  it('keeps a value until the next point', () => {
    const points = [at(1, true), at(12, false), at(25, true)];
    const times = plainSeries(points, {
      start: 5,
      end: 28,
      resolution: 10,
      type: 'TIMEATVALUE',
      value: true,
    });
    expect(times.map(({ data }) => data.a)).toEqual([5, 2, 3]);
  });
});
