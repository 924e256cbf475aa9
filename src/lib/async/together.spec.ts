import { Together } from './together.js';

/** Doubles numbers, and records which ones were requested together. */
function doubles(fails = false) {
  const found: number[][] = [];
  const together = new Together<number, number>((keys) => {
    found.push([...keys]);
    return fails ? Promise.reject(new Error('away')) : Promise.resolve(keys.map((key) => 2 * key));
  }, 3);
  return { found, together };
}

describe('Keys requested in one turn', () => {
  it('are loaded together, each with its own result', async () => {
    const { found, together } = doubles();
    expect(await Promise.all([together.get(2), together.get(1)])).toEqual([4, 2]);
    expect(await together.get(3)).toBe(6);
    expect(found).toEqual([[2, 1], [3]]);
  });

  it('are loaded in several batches if there are too many', async () => {
    const { found, together } = doubles();
    expect(await Promise.all([1, 2, 3, 4, 5].map((key) => together.get(key)))).toEqual([2, 4, 6, 8, 10]);
    expect(found).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
  });

  it('fail together, without affecting later requests', async () => {
    const { together } = doubles(true);
    const outcomes = await Promise.allSettled([together.get(1), together.get(2)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await doubles().together.get(1)).toBe(2);
  });
});
