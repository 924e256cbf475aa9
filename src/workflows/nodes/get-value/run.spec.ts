import { MemoryStorage } from '../../../../test/doubles/memory-storage.js';
import { runNode } from '../../../../test/doubles/run-node.js';
import { getValueNode } from './index.js';

const read = async (held: object, config: object, data: object = {}) => {
  const storage = new MemoryStorage(new Map(Object.entries(held)));
  const given = { keyName: 'k', valuePath: 'v', ...config };
  const { payload } = await runNode(getValueNode, given, { data }, { ports: { storage } });
  return payload;
};

describe('GetValueNode', () => {
  it.each([
    [{ k: 5 }, { defaultValue: '0', defaultValueType: 'json' }, 5],
    [{ k: 0 }, { defaultValue: '1', defaultValueType: 'json' }, 0],
    [{}, { defaultValue: '[]', defaultValueType: 'json' }, []],
    [{}, { defaultValue: 'n is {{data.n}}' }, 'n is 7'],
    [{}, { defaultValue: 'data.n', defaultValueType: 'path' }, 7],
    [{}, {}, undefined],
    [
      { a: 1, b: [2] },
      { getAll: true, keyName: '' },
      { a: 1, b: [2] },
    ],
    [{}, { getAll: true, defaultValue: 'none' }, 'none'],
    [{}, { getAll: true }, {}],
  ])('reads from %j with %j', async (held, config, v) => {
    expect(await read(held, config, { n: 7 })).toEqual({ data: { n: 7 }, v });
  });

  it.each([
    [{ keyName: '' }, 'keyName'],
    [{ valuePath: '' }, 'valuePath'],
    [{ defaultValue: '[', defaultValueType: 'json' }, 'defaultValue'],
  ])('fails with %j', async (config, at) => {
    await expect(read({}, config)).rejects.toMatchObject({
      name: 'ValidationError',
      message: expect.stringContaining(at),
    });
  });
});
