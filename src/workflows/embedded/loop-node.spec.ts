import { LOOP_SOURCES } from '../../../test/make/loop-sources.js';
import { logicDevices } from '../../../test/suites/embedded/logic-devices.js';

const { messages, shown, failure } = logicDevices();

describe('LoopNode', () => {
  it.each([...LOOP_SOURCES, ['nothing', undefined, []] as const])(
    'runs once for each item of %s',
    (_name, source, items) => {
      expect(shown('items', { source })).toEqual(items);
    },
  );

  it('keeps payload changes of an iteration that reaches a cap, and drops them otherwise', () => {
    expect(shown('carried', { source: 2 })).toBe(2);
    expect(shown('carried', { source: 5 })).toBe(2);
  });

  it('returns the results so far when it breaks', () => {
    expect(shown('broken', { source: ['a', 'skip', 'b', 'stop', 'c'] })).toEqual([0, null, 2, 'stop']);
    expect(shown('broken', { source: ['stop'] })).toEqual(['stop']);
    expect(shown('broken', { source: ['a'] })).toEqual([0]);
  });

  it('uses the first cap that an iteration reaches', () => {
    expect(shown('capped', { source: 3 })).toEqual([0, 1, 2]);
  });

  it('iterates over a snapshot of its source', () => {
    const payload = shown('changing', { source: [{ n: 0 }, { n: 1 }, { n: 2 }] });
    expect(payload).toMatchObject({
      working: { map: [0, 1, 2] },
      data: { source: [{ n: 0 }, { n: 1 }, { n: 'changed' }] },
    });
  });

  it('leaves the item in the payload only if a cap is reached', () => {
    expect(shown('looking', { source: 1 })).toBeUndefined();
    expect(shown('looking', { source: 3 })).toEqual({ value: 1, index: 1 });
  });

  it('can be nested', () => {
    expect(shown('nested', { source: [[1, 2], [], 'ab'] })).toMatchObject({
      rows: [[1, 2], [], ['a', 'b']],
      row: { index: 2, value: 'ab' },
      item: { index: 1, value: 'b' },
    });
  });

  it('fails the run when a node inside it fails', () => {
    expect(messages('failing', { source: ['good', 'bad', 'good'] })).toEqual(['inside', 'inside', 'bad']);
    expect(messages('failing', { source: ['good'] })).toEqual(['inside', 'after']);
  });

  it('is limited to 262144 iterations', () => {
    expect(failure('items', { source: 262_145 })).toEqual([
      'loop',
      'RangeError',
      'a loop can have at most 262144 iterations',
    ]);
    expect(failure('items', { source: -1e300 })[1]).toBe('RangeError');
  });

  it('has no iterations if it contains no nodes', () => {
    expect(shown('hollow', { source: 3 })).toEqual({ map: [] });
  });

  it('fails if the item path is invalid', () => {
    expect(failure('misplaced', { source: ['a'] })).toEqual([
      'loop',
      'PathError',
      'the path cannot be written to',
    ]);
  });
});
