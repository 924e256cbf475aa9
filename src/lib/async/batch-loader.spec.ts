import { BatchLoader } from './batch-loader.js';

/** Doubles numbers, and records which ones were requested together. */
function doubles(fails = false) {
  const found: number[][] = [];
  const together = new BatchLoader<number, number>((keys) => {
    found.push([...keys]);
    return fails ? Promise.reject(new Error('away')) : Promise.resolve(keys.map((key) => 2 * key));
  }, 3);
  return { found, together };
}

describe('Keys requested in one turn', () => {
  it('are loaded together, each with its own result', async () => {
    const { found, together } = doubles();
    expect(await Promise.all([together.load(2), together.load(1)])).toEqual([4, 2]);
    expect(await together.load(3)).toBe(6);
    expect(found).toEqual([[2, 1], [3]]);
  });

  it('are loaded in several batches if there are too many', async () => {
    const { found, together } = doubles();
    expect(await Promise.all([1, 2, 3, 4, 5].map((key) => together.load(key)))).toEqual([2, 4, 6, 8, 10]);
    expect(found).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
  });

  it('fail together, without affecting later requests', async () => {
    const { together } = doubles(true);
    const outcomes = await Promise.allSettled([together.load(1), together.load(2)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await doubles().together.load(1)).toBe(2);
  });
});
