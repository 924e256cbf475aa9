import { foundAfterCut, OutcomeUnknown } from './found-after-cut.js';

describe('The outcome of a statement whose connection was lost', () => {
  const cut = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
  const starting = Object.assign(new Error('starting up'), { code: '57P03' });
  const broken = new Error('broken');

  /** Returns the result or the error of up to two attempts that find these one after the other. */
  function outcome(error: Error, ...found: (Error | string | undefined)[]): Promise<unknown> {
    const find = async (): Promise<string | undefined> => {
      const next = found.shift();
      if (next instanceof Error) throw next;
      return next;
    };
    return foundAfterCut(error, find, 2).catch((thrown: unknown) => thrown);
  }

  it.each([
    ['is what was committed', cut, ['stored'], 'stored'],
    ['is awaited during an outage', cut, [starting, 'stored'], 'stored'],
    ['is the failure if nothing was committed', cut, [starting, undefined], cut],
    ['is the failure if the connection was not lost', starting, ['stored'], starting],
    ['is the failure of the search', cut, [starting, broken], broken],
    ['is unknown if the outage does not end', cut, [starting, starting], expect.any(OutcomeUnknown)],
  ])('%s', async (_, error, found, expected) => {
    expect(await outcome(error, ...found)).toEqual(expected);
  });
});
