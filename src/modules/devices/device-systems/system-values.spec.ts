import fc from 'fast-check';
import type { StoredAttribute } from '../devices/device.schemas.js';
import { hasTagFilter, namesIn, SystemValues, type ChildValues } from './system-values.js';

type Aggregation = NonNullable<NonNullable<StoredAttribute['system']>['aggregation']>;

const flow = { name: 'flow', mode: 'all' } as const;
const attribute = (system: StoredAttribute['system'], dataType: 'number' | 'string' = 'number') => ({
  name: 'total',
  dataType,
  system,
});
const child = (id: string, values: ChildValues['values'], tags: ChildValues['tags'] = []): ChildValues => ({
  id,
  tags,
  values,
});
const summedUp = (attributes: StoredAttribute[], children: readonly ChildValues[]) => {
  const values = new SystemValues(attributes);
  children.forEach((one) => values.add(one));
  return values.data();
};

const THREE = [
  child('a', { flow: [30, 5] }, [{ key: 'site', value: 'north' }]),
  child('b', { flow: [10, 1] }, [{ key: 'site', value: 'south' }]),
  child('c', { flow: [20, 3], other: [40, 100] }),
];

describe('Values of a system', () => {
  it.each<[Aggregation, number]>([
    ['FIRST', 1],
    ['LAST', 5],
    ['COUNT', 3],
    ['MAX', 5],
    ['MIN', 1],
    ['MEDIAN', 3],
    ['MEAN', 3],
    ['SUM', 9],
    ['STD_DEV', Math.sqrt(8 / 3)],
  ])('are aggregated by %s', (aggregation, expected) => {
    const data = summedUp([attribute({ aggregation, childAttributes: [flow] })], THREE);
    expect(data).toEqual({ total: expected });
  });

  it.each([
    ['of all', { mode: 'all', deviceIds: ['a'] }, 9],
    ['of those named by id', { mode: 'whitelist', deviceIds: ['a'] }, 5],
    ['of those named by a tag', { mode: 'whitelist', deviceTags: [{ key: 'site', value: 'south' }] }, 1],
    ['of those named by a part of a tag', { mode: 'whitelist', deviceTags: [{ key: 'site' }] }, 6],
    ['of those that are not named', { mode: 'blacklist', deviceTags: [{ value: 'north' }] }, 4],
    ['of none', { mode: 'whitelist' }, undefined],
  ] as const)('are composed %s', (_, of, expected) => {
    const data = summedUp(
      [attribute({ aggregation: 'SUM', childAttributes: [{ name: 'flow', ...of }] })],
      THREE,
    );
    expect(data.total).toBe(expected);
  });

  it('combine several attributes of devices and have the time of the newest value', () => {
    const attributes = [
      attribute({ aggregation: 'SUM', childAttributes: [flow, { name: 'other', mode: 'all' }] }),
    ];
    const values = new SystemValues(attributes);
    THREE.forEach((one) => values.add(one));
    expect([values.data(), values.newest]).toEqual([{ total: 109 }, 40]);
    expect([namesIn(attributes), hasTagFilter(attributes)]).toEqual([['flow', 'other'], false]);
  });

  it('default to the mean for numbers and the last value for other types', () => {
    const system = { childAttributes: [flow] };
    expect(summedUp([attribute(system)], THREE)).toEqual({ total: 3 });
    expect(summedUp([attribute(system, 'string')], [child('a', { flow: [1, 'open'] })])).toEqual({
      total: 'open',
    });
  });

  it('ignore values that are not numbers, except in counts', () => {
    const children = [
      child('a', { flow: [1, 'x'] }),
      child('b', { flow: [2, true] }),
      child('c', { flow: [3] }),
    ];
    const of = (aggregation: Aggregation) =>
      summedUp([attribute({ aggregation, childAttributes: [flow] })], children);
    expect([of('SUM'), of('COUNT'), of('LAST'), of('FIRST')]).toEqual([{}, { total: 3 }, {}, { total: 'x' }]);
  });

  it('match a reference implementation for any order of devices', () => {
    const plain: Record<string, (sorted: readonly number[]) => number> = {
      MAX: (all) => all.at(-1)!,
      MIN: (all) => all[0]!,
      SUM: (all) => all.reduce((a, b) => a + b, 0),
      MEDIAN: (all) => (all[Math.floor((all.length - 1) / 2)]! + all[Math.ceil((all.length - 1) / 2)]!) / 2,
      COUNT: (all) => all.length,
    };
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -1_000, max: 1_000 }), { minLength: 1, maxLength: 50 }),
        fc.constantFrom(...Object.keys(plain)),
        (numbers, aggregation) => {
          const system = { aggregation: aggregation as Aggregation, childAttributes: [flow] };
          const children = numbers.map((value, i) => child(String(i), { flow: [i, value] }));
          const sorted = [...numbers].sort((a, b) => a - b);
          expect(summedUp([attribute(system)], children).total).toBe(plain[aggregation]!(sorted));
        },
      ),
    );
  });
});
