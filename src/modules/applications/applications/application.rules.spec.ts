import { checkGlobals } from '../../../workflows/graph/globals.js';
import { mergeGlobals } from './application.rules.js';

const global = (key: string, json = '1', more: object = {}) => ({ key, json, ...more });

describe('checkGlobals', () => {
  it.each(['1', '"text"', 'null', '{"a":[1,2]}', ' true '])('accepts %s', (json) => {
    expect(() => checkGlobals([global('a', json)], 'globals')).not.toThrow();
  });

  it.each(['', 'text', '{a:1}', "'x'", '1,2', 'undefined', 'NaN'])(
    'rejects %j, which is not valid JSON',
    (json) => {
      expect(() => checkGlobals([global('a'), global('b', json)], 'application.globals')).toThrow(
        'application.globals.1.json must be JSON as text',
      );
    },
  );

  it('rejects duplicate keys and accepts keys that differ only in case', () => {
    expect(() => checkGlobals([global('a'), global('b'), global('a')], 'globals')).toThrow(
      'globals.2.key "a" is a duplicate',
    );
    expect(() => checkGlobals([global('a'), global('A')], 'globals')).not.toThrow();
  });

  it('accepts changes without a value', () => {
    expect(() => checkGlobals([{ key: 'a' }, { key: 'b', json: null }], 'globals')).not.toThrow();
  });
});

describe('mergeGlobals', () => {
  const known = [global('a', '1', { description: 'First', cloudOnly: true }), global('b', '2')];

  it('adds, updates, keeps and removes globals', () => {
    expect(
      mergeGlobals(known, [
        { key: 'a', json: '3' },
        { key: 'b', json: null },
        { key: 'c', json: '4' },
      ]),
    ).toEqual([global('a', '3', { description: 'First', cloudOnly: true }), global('c', '4')]);
    expect(mergeGlobals(known, [{ key: 'a', description: 'Other' }])[0]).toEqual(
      global('a', '1', { description: 'Other', cloudOnly: true }),
    );
  });

  it('does not modify its input', () => {
    const before = structuredClone(known);
    mergeGlobals(known, [{ key: 'a', json: '9' }]);
    expect(known).toEqual(before);
  });

  it('requires a value for a new global', () => {
    expect(() => mergeGlobals(known, [{ key: 'a' }, { key: 'new' }])).toThrow('globals.1.json is required');
  });

  it('accepts the removal of a missing global', () => {
    expect(mergeGlobals(known, [{ key: 'none', json: null }])).toEqual(known);
  });

  it('applies the limit to the result: accepts 100 globals and rejects 101', () => {
    const hundred = Array.from({ length: 100 }, (_, i) => global(`k${i}`));
    expect(mergeGlobals(hundred, [global('k0', '5')])).toHaveLength(100);
    expect(() => mergeGlobals(hundred, [global('new')])).toThrow('at most 100');
    expect(mergeGlobals(hundred, [global('new'), { key: 'k0', json: null }])).toHaveLength(100);
  });

  it('accepts the names of built-in object properties as keys', () => {
    expect(mergeGlobals([], [global('constructor')])).toEqual([global('constructor')]);
  });
});
