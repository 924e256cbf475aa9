import { setImmediate as nextTurn } from 'node:timers/promises';
import { ProcessorTurns } from './processor-turns.js';

/** Adds steps that note their names, and returns the names in the order of execution. */
async function executed(steps: readonly string[]): Promise<string[]> {
  const turns = new ProcessorTurns();
  const done: string[] = [];
  for (const name of steps) turns.add(name[0]!, () => done.push(name));
  while (done.length < steps.length) await nextTurn();
  return done;
}

describe('Turns of the processor', () => {
  it('alternate between owners, in the order of the steps of each', async () => {
    expect(await executed(['a1', 'a2', 'a3', 'b1', 'c1', 'b2'])).toEqual([
      'a1',
      'b1',
      'c1',
      'a2',
      'b2',
      'a3',
    ]);
  });

  it('reach an owner that comes later before the other steps of an earlier one', async () => {
    const turns = new ProcessorTurns();
    const done: string[] = [];
    turns.add('a', () => {
      done.push('a1');
      turns.add('b', () => done.push('b1'));
    });
    turns.add('a', () => done.push('a2'));
    turns.add('a', () => done.push('a3'));
    while (done.length < 4) await nextTurn();
    expect(done.indexOf('b1')).toBeLessThan(done.indexOf('a3'));
  });

  it('let other work of the process happen between long steps', async () => {
    const turns = new ProcessorTurns();
    let count = 0;
    const busy = () => {
      for (const end = performance.now() + 3; performance.now() < end;);
      count++;
    };
    for (let i = 0; i < 5; i++) turns.add('a', busy);
    while (count === 0) await nextTurn();
    expect(count).toBeLessThan(5);
  });
});
