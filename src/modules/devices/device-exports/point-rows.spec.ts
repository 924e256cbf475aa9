import fc from 'fast-check';
import { pointRows, type ExportedPoint, type FindPoints, type PointRow } from './point-rows.js';

/**
 * Stores points of attributes in memory and finds them as the database would; `pages` contains the number of points
 * found per call.
 */
function store(points: readonly ExportedPoint[]): { find: FindPoints; pages: number[] } {
  const pages: number[] = [];
  const find: FindPoints = async (wanted) => {
    const found = wanted.flatMap(({ attribute, after, limit: max }) =>
      points
        .filter((point) => point.attribute === attribute && point.time > after)
        .sort((a, b) => a.time - b.time)
        .slice(0, max),
    );
    pages.push(found.length);
    return found;
  };
  return { find, pages };
}

async function collected(rows: AsyncIterable<PointRow>): Promise<[number, [number, unknown][]][]> {
  const all: [number, [number, unknown][]][] = [];
  for await (const { time, values } of rows) all.push([time, [...values].sort(([a], [b]) => a - b)]);
  return all;
}

const light = (...numbers: number[]) => numbers.map((number) => ({ number, heavy: false }));

describe('pointRows', () => {
  it('yields one row per time with all values reported at that time', async () => {
    const { find } = store([
      { attribute: 1, time: 10, value: 1 },
      { attribute: 2, time: 10, value: 'on' },
      { attribute: 2, time: 5, value: 'off' },
      { attribute: 1, time: 20, value: 2 },
      { attribute: 3, time: 10, value: true },
    ]);
    expect(await collected(pointRows(light(1, 2), 5, find))).toEqual([
      [5, [[2, 'off']]],
      [
        10,
        [
          [1, 1],
          [2, 'on'],
        ],
      ],
      [20, [[1, 2]]],
    ]);
    expect(await collected(pointRows(light(1, 2), 11, find))).toEqual([[20, [[1, 2]]]]);
    expect(await collected(pointRows([], 0, find))).toEqual([]);
  });

  it('reads every point once, a bounded number at a time, for any distribution of points', async () => {
    const dense = Array.from({ length: 30_000 }, (_, i) => ({ attribute: 1, time: i, value: i }));
    const sparse = Array.from({ length: 300 }, (_, i) => ({ attribute: 2, time: i * 100, value: i }));
    const { find, pages } = store([...dense, ...sparse]);
    const rows = await collected(pointRows(light(1, 2), 0, find));
    expect(rows.length).toBe(30_000);
    expect(pages.reduce((sum, n) => sum + n)).toBe(30_300);
    expect(Math.max(...pages)).toBeLessThanOrEqual(10_000);
    expect(pages.length).toBeLessThan(20);
  });

  it('holds only a few long texts in memory', async () => {
    const texts = Array.from({ length: 1_000 }, (_, i) => ({ attribute: 1, time: i, value: 'text' }));
    const { find, pages } = store(texts);
    await collected(pointRows([{ number: 1, heavy: true }], 0, find));
    expect(Math.max(...pages)).toBeLessThanOrEqual(200);
  });

  it('yields the same rows as sorting all points', async () => {
    const point = fc.record({
      attribute: fc.integer({ min: 1, max: 4 }),
      time: fc.integer({ min: 0, max: 40 }),
      value: fc.integer(),
    });
    const key = ({ attribute, time }: ExportedPoint) => `${attribute} ${time}`;
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(point, { selector: key }),
        fc.integer({ min: 0, max: 40 }),
        async (points, start) => {
          const wanted = points.filter(({ time }) => time >= start);
          const times = [...new Set(wanted.map(({ time }) => time))].sort((a, b) => a - b);
          const expected = times.map((time) => [
            time,
            wanted
              .filter((one) => one.time === time)
              .map(({ attribute, value }) => [attribute, value])
              .sort(([a], [b]) => Number(a) - Number(b)),
          ]);
          expect(await collected(pointRows(light(1, 2, 3, 4), start, store(points).find))).toEqual(expected);
        },
      ),
    );
  });
});
