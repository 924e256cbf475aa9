import { MemoryStorage } from '../../../../test/doubles/memory-storage.js';
import { runNode } from '../../../../test/doubles/run-node.js';
import { latchNode } from './index.js';

const CONFIG = {
  latchExpression: '{{data.v}} > 90',
  resetExpression: '{{data.v}} < 70',
  latchIdTemplate: '{{triggerId}}',
};

describe('LatchNode', () => {
  it('takes output 1 once, until it is reset', async () => {
    const context = { ports: { storage: new MemoryStorage() } };
    const outputs: unknown[] = [];
    for (const v of [95, 96, 80, 60, 91])
      outputs.push((await runNode(latchNode, CONFIG, { data: { v } }, context)).output);
    expect(outputs).toEqual([1, 0, 0, 0, 1]);
  });

  it('has a latch for each identifier', async () => {
    const context = { ports: { storage: new MemoryStorage() } };
    const outputs: unknown[] = [];
    for (const triggerId of ['a', 'b', 'a'])
      outputs.push((await runNode(latchNode, CONFIG, { triggerId, data: { v: 91 } }, context)).output);
    expect(outputs).toEqual([1, 1, 0]);
  });

  it('writes what it found', async () => {
    const context = { ports: { storage: new MemoryStorage() } };
    const config = {
      latchExpression: '{{on}}',
      resetExpression: '{{off}}',
      latchResultPath: 'r.latches',
      resetResultPath: 'r.resets',
      wasLatchedPath: 'r.was',
      isLatchedPath: 'r.is',
      branchPath: 'r.branch',
    };
    const results: unknown[] = [];
    for (const payload of [{ on: 1, off: 1 }, { on: 1 }, { on: 1, off: 1 }])
      results.push(((await runNode(latchNode, config, payload, context)).payload as { r: unknown }).r);
    expect(results).toEqual([
      { latches: true, resets: true, was: false, is: true, branch: true },
      { latches: true, resets: false, was: true, is: true, branch: false },
      { latches: true, resets: true, was: true, is: false, branch: false },
    ]);
  });

  it('never latches without an expression', async () => {
    const storage = new MemoryStorage();
    expect(await runNode(latchNode, {}, {}, { ports: { storage } })).toMatchObject({ output: 0 });
  });
});
