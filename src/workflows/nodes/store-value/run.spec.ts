import { MemoryStorage } from '../../../../test/doubles/memory-storage.js';
import { runNode } from '../../../../test/doubles/run-node.js';
import { storeValueNode } from './index.js';

const after = async (held: object, config: object, payload: object = {}) => {
  const storage = new MemoryStorage(new Map(Object.entries(held)));
  const result = await runNode(storeValueNode, { keyName: 'k', resultPath: 'r', ...config }, payload, {
    ports: { storage },
  });
  return { storage: storage.contents, r: (result.payload as { r: unknown }).r };
};

describe('StoreValueNode', () => {
  it('increments a counter whose key is a template', async () => {
    const config = { keyName: 'n:{{data.id}}', valueType: 'incr', value: '1' };
    expect(await after({}, config, { data: { id: 'a' } })).toEqual({ storage: { 'n:a': 1 }, r: 1 });
  });

  it.each([
    [{ k: 5 }, { valueType: 'clear', value: 'null' }, {}, 5],
    [{}, { valueType: 'clear' }, {}, undefined],
    [{ k: 5 }, { valueType: 'incr', value: '-1.5' }, { k: 3.5 }, 3.5],
    [{ k: 5 }, { valueType: 'decr', value: 2 }, { k: 3 }, 3],
    [{ k: 5 }, { valueType: 'path', value: 'data.v' }, { k: [1] }, [1]],
    [{}, { valueType: 'path', value: 'data.none', valuePath: 'data.v' }, { k: [1] }, [1]],
    [{ k: 5 }, { valueType: 'path', value: 'data.none' }, {}, undefined],
    [{}, { valueType: 'number', value: '{{data.n}}' }, { k: 7 }, 7],
    [{}, { valueType: 'template', value: 'n is {{data.n}}' }, { k: 'n is 7' }, 'n is 7'],
    [{}, { valueType: 'json', value: '{"v": {{data.n}}}' }, { k: { v: 7 } }, { v: 7 }],
  ])('changes %j with %j', async (held, config, storage, r) => {
    expect(await after(held, config, { data: { v: [1], n: '7' } })).toEqual({ storage, r });
  });

  it.each([
    [{ k: 'x' }, { valueType: 'incr', value: '1' }],
    [{}, { valueType: 'incr', value: 'x' }],
    [{}, { valueType: 'number', value: '' }],
    [{}, { valueType: 'json', value: '{{data.n}' }],
    [{}, { valueType: 'json', value: '' }],
    [{}, { valueType: 'path', value: '' }],
    [{}, { valueType: 'clear', keyName: '{{data.none}}' }],
    [{}, { valueType: 'clear', keyName: 'k'.repeat(256) }],
    [{}, { valueType: 'other' }],
  ])('fails in %j with %j', async (held, config) => {
    await expect(after(held, config)).rejects.toMatchObject({ name: 'ValidationError' });
  });
});
