import { MAX_TIME } from './list-query.js';
import { momentOf, parseMoment } from './moments.js';

const NOW = 1_800_000_000_000;

describe('momentOf', () => {
  it.each([
    [1, 1],
    [1_465_790_400_000.9, 1_465_790_400_000],
    [MAX_TIME, MAX_TIME],
    [0, NOW],
    [-60_000, NOW - 60_000],
    [-Infinity, 0],
    [-2 * NOW, 0],
  ])('converts %d to %d', (value, time) => {
    expect(momentOf('end', value, NOW)).toEqual(new Date(time));
  });

  it.each([MAX_TIME + 1, Infinity])('rejects %d', (value) => {
    expect(() => momentOf('query.end', value, NOW)).toThrow(`query.end must be at most ${MAX_TIME}`);
  });
});

describe('parseMoment', () => {
  it('accepts integers, and returns the default for absent and blank values', () => {
    expect(parseMoment('start', '1465790400000')).toEqual(new Date(1_465_790_400_000));
    expect(parseMoment('start', undefined, 1)).toEqual(new Date(1));
    expect(parseMoment('start', '', 1)).toEqual(new Date(1));
    expect(parseMoment('start', undefined)).toBeUndefined();
    const before = Date.now();
    expect(parseMoment('end', '-1000')!.getTime()).toBeGreaterThanOrEqual(before - 1000);
    expect(parseMoment('end', '0')!.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it.each(['now', '1.5', '1e3', '--1', ' 1', '9'.repeat(16), ['1', '2'], { a: '1' }])(
    'rejects %j',
    (value) => {
      expect(() => parseMoment('end', value)).toThrow('end must be an integer');
    },
  );

  it('rejects times after the year 9999', () => {
    expect(() => parseMoment('end', '999999999999999')).toThrow('end must be at most');
  });
});
