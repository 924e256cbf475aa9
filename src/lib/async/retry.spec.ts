import { retry } from './retry.js';

describe('A repeated attempt', () => {
  /** Returns the number of attempts, and the result or message in the end. */
  async function attempted(results: (Error | string)[]): Promise<[number, string]> {
    let made = 0;
    const work = async (attempt: number) => {
      made = attempt;
      const result = results[attempt - 1]!;
      if (result instanceof Error) throw result;
      return result;
    };
    const isTransient = (error: unknown) => (error as Error).message === 'again';
    const end = await retry(work, { max: 3, pauseMs: 1, isTransient }).catch((error: Error) => error.message);
    return [made, end];
  }
  const [again, final] = [new Error('again'), new Error('final')];

  it.each<[string, (Error | string)[], [number, string]]>([
    ['returns the first result', ['done'], [1, 'done']],
    ['follows a transient error', [again, 'done'], [2, 'done']],
    ['does not follow another error', [again, final, 'done'], [2, 'final']],
    ['ends with the last error', [again, again, again, 'done'], [3, 'again']],
  ])('%s', async (_, results, expected) => {
    expect(await attempted(results)).toEqual(expected);
  });
});
