import { MemoryStorage } from '../../../../test/doubles/memory-storage.js';
import { runNode } from '../../../../test/doubles/run-node.js';
import { branchOnChangeNode } from './index.js';

/** Returns the outputs of one node for values in sequence. */
async function outputs(config: object, values: readonly unknown[]): Promise<unknown[]> {
  const context = { ports: { storage: new MemoryStorage() } };
  const taken: unknown[] = [];
  for (const v of values)
    taken.push((await runNode(branchOnChangeNode, { valuePath: 'v', ...config }, { v }, context)).output);
  return taken;
}

describe('BranchOnChangeNode', () => {
  it.each([
    [{}, [1, 1, 2, '2', '2'], [0, 0, 1, 1, 0]],
    [
      { changeType: 'any' },
      [{ a: [1] }, { a: [1] }, { a: [2] }, undefined, undefined, null],
      [0, 0, 1, 1, 0, 1],
    ],
    [{ changeType: 'value', changeThreshold: 5 }, [10, 14, 15, 12, 10], [0, 0, 1, 0, 1]],
    [{ changeType: 'value', changeThreshold: '0' }, ['1', 1, 'x', 2], [0, 0, 0, 1]],
    [{ changeType: 'valueInc', changeThreshold: 5 }, [10, 8, 13, 17, 18], [0, 0, 1, 0, 1]],
    [{ changeType: 'valueDec', changeThreshold: 5 }, [10, 12, 7, 3, 2], [0, 0, 1, 0, 1]],
    [{ changeType: 'percent', changeThreshold: 50 }, [0, 1, 1.4, 1.5, -1.5], [0, 1, 0, 1, 1]],
    [{ changeType: 'percentInc', changeThreshold: 50 }, [10, 4, 6, 8], [0, 0, 1, 0]],
    [{ changeType: 'percentDec', changeThreshold: 50 }, [10, 20, 10, 6], [0, 0, 1, 0]],
  ])('tells changes with %j of %j', async (config, values, expected) => {
    expect(await outputs(config, values)).toEqual(expected);
  });

  it('writes the previous value and its time', async () => {
    const context = { ports: { storage: new MemoryStorage() } };
    const config = { valuePath: 'v', prevValuePath: 'previous' };
    const first = { v: 1, time: new Date('2024-01-15T00:00:00Z') };
    expect((await runNode(branchOnChangeNode, config, first, context)).payload).toEqual(first);
    const second = await runNode(branchOnChangeNode, config, { v: 2, time: new Date() }, context);
    expect(second.payload).toMatchObject({ previous: { value: 1, time: first.time } });
  });

  it('compares each identifier alone', async () => {
    const context = { ports: { storage: new MemoryStorage() } };
    const config = { valuePath: 'v', onChangeIdTemplate: '{{id}}' };
    await runNode(branchOnChangeNode, config, { id: 'a', v: 1 }, context);
    expect(await runNode(branchOnChangeNode, config, { id: 'b', v: 2 }, context)).toMatchObject({
      output: 0,
    });
  });

  it.each([
    [{ valuePath: '' }, 1, 'valuePath is required'],
    [{ changeThreshold: 'x' }, 1, 'changeThreshold'],
    [{}, 'x'.repeat(16 * 1024), 'at most 16384 characters'],
  ])('fails with %j', async (config, value, message) => {
    await expect(outputs(config, [value])).rejects.toThrow(message);
  });
});
