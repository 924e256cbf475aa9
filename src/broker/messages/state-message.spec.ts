import { readReport } from './state-message.js';

const read = (value: unknown) => readReport(Buffer.from(JSON.stringify(value)));
const TIME = '2016-11-04T19:42:06.710Z';

describe('A report', () => {
  it.each<[unknown, unknown]>([
    [undefined, undefined],
    [1_478_288_526_710, 1_478_288_526_710],
    [TIME, TIME],
    [{ $date: TIME }, TIME],
    [{ $date: 1_478_288_526_710 }, TIME],
    [{ $date: { $numberLong: '1478288526710' } }, TIME],
    [{ $date: 'soon' }, 'soon'],
    [{ $date: 1e300 }, 1e300],
    [{ $undefined: true }, undefined],
    [null, undefined],
    [[TIME], undefined],
    [{ time: TIME }, undefined],
  ])('with the time %j has the time %j', (time, expected) => {
    expect(read({ data: { a: 1 }, time }).states[0]!.time).toEqual(expected);
  });

  it('has a state, or several', () => {
    const state = { data: { a: 1 }, time: 5, meta: { x: [1] }, flowVersion: 'v1' };
    expect(read(state)).toEqual({ states: [state], isBatch: false });
    expect(read([state, { data: {} }])).toMatchObject({ states: [state, { data: {} }], isBatch: true });
    expect(read([])).toEqual({ states: [], isBatch: true });
  });

  it('has no values that attributes cannot have, and no other properties', () => {
    const data = {
      a: 1,
      b: 'x',
      c: false,
      d: null,
      e: {},
      f: [1],
      g: { $undefined: true },
      h: { $date: TIME },
    };
    expect(read({ data, time: 1, id: 7, flowVersion: '' }).states).toEqual([
      { data: { a: 1, b: 'x', c: false, h: TIME }, time: 1, meta: undefined, flowVersion: undefined },
    ]);
  });

  it('can have metadata with dates', () => {
    const meta = { at: { $date: TIME }, list: [{ $date: 0 }, { $undefined: true }], text: 'x' };
    expect(read({ data: {}, meta }).states[0]!.meta).toEqual({
      at: TIME,
      list: ['1970-01-01T00:00:00.000Z', undefined],
      text: 'x',
    });
  });

  it.each<[string, string | Buffer]>([
    ['is empty', ''],
    ['is no JSON', '{"data":'],
    ['is no object', '7'],
    ['is null', 'null'],
    ['has no data', '{"time":1}'],
    ['has a list as data', '{"data":[1]}'],
    ['has a state without data', '[{"data":{}},{}]'],
    ['is no UTF-8', Buffer.from([0x22, 0xc3, 0x22])],
    ['has NUL characters', '{"data":{"a":"\\u0000"}}'],
    ['has lone surrogates', '{"data":{"a":"\\ud800"}}'],
    ['has names of prototypes', '{"data":{"__proto__":1}}'],
    ['is nested too deep', `{"data":{"a":${'['.repeat(100)}${']'.repeat(100)}}}`],
    ['has infinite numbers', '{"data":{"a":1e999}}'],
    ['has too many states', JSON.stringify(Array.from({ length: 1_001 }, () => ({ data: {} })))],
    ['has too many values', `{"data":{},"meta":[${'1,'.repeat(100_001)}1]}`],
  ])('is refused if it %s', (_, message) => {
    expect(() => readReport(Buffer.from(message))).toThrow(
      /^(The message|The body|A state|A report|__proto__)/,
    );
  });
});
