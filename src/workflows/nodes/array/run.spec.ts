import { runNode } from '../../../../test/doubles/run-node.js';
import { arrayNode } from './index.js';

const after = async (config: object, payload: object): Promise<unknown> =>
  (await runNode(arrayNode, { sourceArrayPath: 'l', ...config }, payload)).payload;
/** Returns the list and the output after one rule. */
const apply = async (rule: object, l: unknown, others = {}): Promise<unknown> => {
  const payload = await after({ rules: [{ outputPath: 'r', ...rule }] }, { l, ...others });
  return { l: (payload as { l: unknown }).l, r: (payload as { r: unknown }).r };
};

describe('ArrayNode', () => {
  it.each([
    [{ type: 'push', inputTemplate: '{{data.o}}' }, { data: { o: { a: 1 } } }, [0, { a: 1 }]],
    [{ type: 'push', inputTemplate: '{{data}}' }, { data: '5' }, [0, '5']],
    [{ type: 'push', inputTemplate: '{{./data}}' }, { data: '5' }, [0, '5']],
    [{ type: 'push', inputTemplate: '5' }, {}, [0, 5]],
    [{ type: 'push', inputTemplate: 'n {{data}}' }, { data: 1 }, [0, 'n 1']],
    [{ type: 'push', inputTemplate: '[{{data}}]' }, { data: 1 }, [0, [1]]],
    [{ type: 'unshift', inputTemplate: 'a' }, {}, ['a', 0]],
    [{ type: 'concat', inputTemplate: '{{data}}' }, { data: [1, [2]] }, [0, 1, [2]]],
    [{ type: 'concat', inputTemplate: '{{data}}' }, { data: 'text' }, [0, 'text']],
    [{ type: 'concat', inputTemplate: '{{data}}' }, {}, [0]],
  ])('adds with %j and %j', async (rule, payload, l) => {
    expect(await after({ rules: [rule] }, { l: [0], ...payload })).toEqual({ l, ...payload });
  });

  it.each([
    [{ type: 'pop' }, [1, 2], { l: [1], r: 2 }],
    [{ type: 'pop' }, [], { l: [], r: undefined }],
    [{ type: 'pop', outputPath: '' }, [1, 2], { l: [1] }],
    [{ type: 'shift' }, [1, 2], { l: [2], r: 1 }],
    [{ type: 'insertAt', indexTemplate: '1', inputTemplate: 'x' }, [1, 2], { l: [1, 'x', 2] }],
    [{ type: 'insertAt', indexTemplate: '-1', inputTemplate: 'x' }, [1, 2], { l: [1, 'x', 2] }],
    [{ type: 'insertAt', indexTemplate: 9, inputTemplate: 'x' }, [1, 2], { l: [1, 2, 'x'] }],
    [{ type: 'removeAt', indexTemplate: '-1' }, [1, 2, 3], { l: [1, 2], r: 3 }],
    [{ type: 'removeAt', indexTemplate: '5' }, [1], { l: [1], r: undefined }],
    [{ type: 'removeAt', indexTemplate: '-5' }, [1], { l: [1], r: undefined }],
    [{ type: 'replaceAt', indexTemplate: '0', inputTemplate: 'x' }, [1, 2], { l: ['x', 2], r: 1 }],
    [{ type: 'replaceAt', indexTemplate: '2', inputTemplate: 'x' }, [1], { l: [1, undefined, 'x'] }],
    [{ type: 'replaceAt', indexTemplate: '1000000000', inputTemplate: 'x' }, [1], { l: [1] }],
    [{ type: 'lookupAt', indexTemplate: '-2' }, [1, 2], { l: [1, 2], r: 1 }],
    [{ type: 'lookupAt', indexTemplate: '2' }, [1, 2], { l: [1, 2], r: undefined }],
    [{ type: 'indexOf', inputTemplate: '2' }, ['2', 2], { l: ['2', 2], r: 1 }],
    [{ type: 'indexOf', inputTemplate: '3' }, ['2', 2], { l: ['2', 2], r: -1 }],
    [{ type: 'length' }, [1, 2], { l: [1, 2], r: 2 }],
    [{ type: 'sum' }, [1, 2.5, '3', null], { l: [1, 2.5, '3', null], r: 3.5 }],
    [{ type: 'compact' }, [0, 1, '', null, false, [], undefined], { l: [1, []] }],
    [{ type: 'reverse' }, [1, 2], { l: [2, 1] }],
    [{ type: 'flatten' }, [1, [2, [3]], []], { l: [1, 2, [3]] }],
    [{ type: 'deduplicate' }, [1, '1', 1, {}, {}, null, null], { l: [1, '1', {}, {}, null] }],
    [{ type: 'slice', inputTemplate: '1', indexTemplate: '-1' }, [1, 2, 3], { l: [2] }],
    [{ type: 'slice', inputTemplate: '', indexTemplate: '' }, [1, 2], { l: [1, 2] }],
    [{ type: 'sort' }, [10, 9, 'b', true, null, 'a'], { r: [null, true, 9, 10, 'a', 'b'] }],
    [{ type: 'sort', order: 'descending' }, [1, 3, 2], { r: [3, 2, 1] }],
  ])('applies %j to %j', async (rule, l, expected) => {
    expect(await apply(rule, l)).toEqual({ l, r: undefined, ...expected });
  });

  it('filters by value, index, list and payload', async () => {
    const rule = {
      type: 'filter',
      inputTemplate: '{{value.n}} < {{payload.limit}} && {{index}} < length({{array}}) - 1',
    };
    const l = [{ n: 1 }, { n: 9 }, { n: 2 }, { n: 1 }];
    expect(await apply(rule, l, { limit: 3 })).toEqual({ l, r: [{ n: 1 }, { n: 2 }] });
  });

  it('groups, keys, deduplicates and sorts items by a member', async () => {
    const l = [{ n: 'x', v: 2 }, { n: 'y', v: 1 }, { n: 'x', v: 0 }, 5];
    const by = (type: string, inputTemplate: string) => apply({ type, inputTemplate }, l);
    expect(await by('groupBy', 'n')).toEqual({ l, r: { x: [l[0], l[2]], y: [l[1]], undefined: [5] } });
    expect(await by('keyBy', 'n')).toEqual({ l, r: { x: l[2], y: l[1], undefined: 5 } });
    expect(await by('deduplicateBy', 'n')).toEqual({ l, r: [l[0], l[1], 5] });
    expect(await by('sortBy', 'v')).toEqual({ l, r: [5, l[2], l[1], l[0]] });
  });

  it('writes outputs over the source or its parent', async () => {
    const l = [{ n: 2 }, { n: 1 }];
    const sort = { type: 'sortBy', inputTemplate: 'n', outputPath: 'l' };
    expect(await after({ rules: [sort], destArrayPath: 'l' }, { l })).toEqual({ l: [{ n: 1 }, { n: 2 }] });
    const key = { type: 'keyBy', inputTemplate: 'n', outputPath: 'data' };
    expect(await after({ sourceArrayPath: 'data.items', rules: [key] }, { data: { items: l } })).toEqual({
      data: { 1: l[1], 2: l[0] },
    });
  });

  it('writes to another path if a rule changed the list', async () => {
    expect(await after({ rules: [{ type: 'reverse' }], destArrayPath: 'd' }, { l: [1, 2] })).toEqual({
      l: [1, 2],
      d: [2, 1],
    });
  });

  it('reads nothing as an empty list, and a text as its characters', async () => {
    expect(await after({ rules: [{ type: 'push', inputTemplate: '1' }] }, {})).toEqual({ l: [1] });
    expect(await apply({ type: 'pop' }, 'a😀')).toEqual({ l: 'a😀', r: '😀' });
  });

  it.each([
    [{ rules: [{ type: 'length' }] }, { l: 5 }, 'sourceArrayPath must refer to a list or a text'],
    [{ rules: [{ type: 'removeAt', indexTemplate: 'x' }] }, {}, 'indexTemplate must be an integer'],
    [{ rules: [{ type: 'removeAt', indexTemplate: '' }] }, {}, 'indexTemplate is required'],
    [{ rules: [{ type: 'groupBy' }] }, { l: [1] }, 'rules.0.inputTemplate is required'],
    [{ rules: [{ type: 'other' }] }, {}, 'rules.0.type must be one of'],
    [{ rules: Array.from({ length: 16 }, () => ({ type: 'pop' })) }, {}, 'at most 15'],
    [{ sourceArrayPath: '', rules: [] }, {}, 'sourceArrayPath is required'],
  ])('fails with %j', async (config, payload, message) => {
    await expect(after(config, payload)).rejects.toMatchObject({
      name: 'ValidationError',
      message: expect.stringContaining(message),
    });
  });

  it('keeps names of members that lead to prototypes as own members', async () => {
    const l = [{ n: '__proto__' }];
    const payload = (await apply({ type: 'keyBy', inputTemplate: 'n' }, l)) as { r: object };
    expect(Object.keys(payload.r)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(payload.r)).toBe(Object.prototype);
  });
});
