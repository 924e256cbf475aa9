import { runNode } from '../../../../test/doubles/run-node.js';
import { randomNumberNode } from './index.js';

const draw = async (min: unknown, max: unknown, data = {}) => {
  const { payload } = await runNode(randomNumberNode, { min, max, resultPath: 'r' }, { data });
  return (payload as { r: unknown }).r;
};

describe('RandomNumberNode', () => {
  it('draws every integer of the range, both ends included', async () => {
    const drawn = new Set(await Promise.all(Array.from({ length: 200 }, () => draw(1, '4.9'))));
    expect([...drawn].sort()).toEqual([1, 2, 3, 4]);
  });

  it.each([
    [5, 5, 5],
    ['0', '0', 0],
    [7.999, '8', 8],
    [1.3, 1.9, null],
    [2, 1, null],
    ['{{data.x}}', 10, null],
    [0, 1e300, null],
    [-(2 ** 53), 2 ** 53, null],
  ])('draws between %j and %j', async (min, max, drawn) => {
    expect(await draw(min, max, { x: 'abc' })).toBe(drawn);
  });

  it('draws from 0 to 100 if the ends are blank', async () => {
    const drawn = await draw('', undefined);
    expect(drawn).toBeGreaterThanOrEqual(0);
    expect(drawn).toBeLessThanOrEqual(100);
  });

  it('fails without a path for the result', async () => {
    await expect(runNode(randomNumberNode, { min: 1, max: 2, resultPath: '' })).rejects.toThrow('resultPath');
  });
});
