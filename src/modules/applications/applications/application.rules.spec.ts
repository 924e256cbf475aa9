import { checkGlobals } from '../../../workflows/graph/globals.js';
import { mergeGlobals } from './application.rules.js';

const global = (key: string, json = '1', more: object = {}) => ({ key, json, ...more });

describe('Globals', () => {
  it.each(['1', '"text"', 'null', '{"a":[1,2]}', ' true '])('take %s', (json) => {
    expect(() => checkGlobals([global('a', json)], 'globals')).not.toThrow();
  });

  it.each(['', 'text', '{a:1}', "'x'", '1,2', 'undefined', 'NaN'])('refuse %j: it is no JSON', (json) => {
    expect(() => checkGlobals([global('a'), global('b', json)], 'application.globals')).toThrow(
      'application.globals.1.json must be JSON as text',
    );
  });

  it('refuse the same key twice, and take keys that differ in case', () => {
    expect(() => checkGlobals([global('a'), global('b'), global('a')], 'globals')).toThrow(
      'globals.2.key "a" is given twice',
    );
    expect(() => checkGlobals([global('a'), global('A')], 'globals')).not.toThrow();
  });

  it('take changes without a value', () => {
    expect(() => checkGlobals([{ key: 'a' }, { key: 'b', json: null }], 'globals')).not.toThrow();
  });
});

describe('Changes to globals', () => {
  const known = [global('a', '1', { description: 'First', cloudOnly: true }), global('b', '2')];

  it('add, change, keep what is not given and remove', () => {
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

  it('leave the globals that they were given alone', () => {
    const before = structuredClone(known);
    mergeGlobals(known, [{ key: 'a', json: '9' }]);
    expect(known).toEqual(before);
  });

  it('need a value for a new global', () => {
    expect(() => mergeGlobals(known, [{ key: 'a' }, { key: 'new' }])).toThrow('globals.1.json is required');
  });

  it('may remove what is not there', () => {
    expect(mergeGlobals(known, [{ key: 'none', json: null }])).toEqual(known);
  });

  it('count the outcome: 100 are taken, 101 are not', () => {
    const hundred = Array.from({ length: 100 }, (_, i) => global(`k${i}`));
    expect(mergeGlobals(hundred, [global('k0', '5')])).toHaveLength(100);
    expect(() => mergeGlobals(hundred, [global('new')])).toThrow('at most 100');
    expect(mergeGlobals(hundred, [global('new'), { key: 'k0', json: null }])).toHaveLength(100);
  });

  it('may be called like members of every object', () => {
    expect(mergeGlobals([], [global('constructor')])).toEqual([global('constructor')]);
  });
});
