import { runNode } from '../../../../test/doubles/run-node.js';
import { mathNode } from './index.js';

const after = async (payload: object, ...statements: [string, string][]) => {
  const config = { statements: statements.map(([expression, resultPath]) => ({ expression, resultPath })) };
  return (await runNode(mathNode, config, payload)).payload;
};

describe('MathNode', () => {
  it('evaluates statements in order, each with the results before', async () => {
    const result = await after(
      { data: { f: 212 } },
      ['({{data.f}} - 32) * (5/9)', 'working.c'],
      ['round({{working.c}} * 10) / 10', 'working.r'],
    );
    expect(result).toEqual({ data: { f: 212 }, working: { c: 100, r: 100 } });
  });

  it.each([
    ['max(ceil({{a}} / {{b}}), 1)', { a: 0, b: 25 }, 1],
    ['{{a}}', { a: '12.50' }, 12.5],
    ['{{a}}', { a: new Date(5) }, 5],
    ['{{a}} > 1', { a: 2 }, 1],
    ['1 / 0', {}, null],
    ['{{a}}', {}, null],
    ['{{a}}', { a: '' }, null],
    ['{{a}} * 2', { a: 'text' }, null],
    ['{{a}}', { a: [5] }, null],
  ])('writes the number of %s with %j, or null', async (expression, payload, n) => {
    expect(await after(payload, [expression, 'n'])).toEqual({ ...payload, n });
  });

  it('writes nothing without a path, and fails without an expression', async () => {
    expect(await after({ a: 1 }, ['1', ''])).toEqual({ a: 1 });
    await expect(after({}, ['', 'n'])).rejects.toThrow('statements.0.expression is required');
  });
});
