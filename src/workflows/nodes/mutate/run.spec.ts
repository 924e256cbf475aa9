import { runNode } from '../../../../test/doubles/run-node.js';
import { mutateNode } from './index.js';

const after = async (rules: object[], payload: object) =>
  (await runNode(mutateNode, { rules }, payload)).payload;
const set = (valueTemplate: string, destination: string, valueTemplateType?: string) => ({
  type: 'set',
  valueTemplate,
  valueTemplateType,
  destination,
});

describe('MutateNode', () => {
  it('sets text, also where the value is a number', async () => {
    const payload = { data: { firstName: 'John', lastName: 'Smith', n: 5 } };
    const rules = [set('{{data.firstName}} {{data.lastName}}', 'data.fullName'), set('{{data.n}}', 'data.n')];
    expect(await after(rules, payload)).toEqual({
      data: { ...payload.data, fullName: 'John Smith', n: '5' },
    });
  });

  it.each([
    ['{{data.x}}', { x: '1700' }, 1700],
    ['{ "a": {{data.x}} }', { x: 1 }, { a: 1 }],
    ['{{data.x}}', { x: [1] }, [1]],
    ['{{data.x}}', { x: 'no JSON' }, undefined],
    ['{{data.x}}', {}, undefined],
  ])('sets the JSON %s with %j, or undefined if it is none', async (template, data, value) => {
    expect(await after([set(template, 'working.v', 'json')], { data })).toEqual({
      data,
      working: { v: value },
    });
  });

  it('copies, moves and removes', async () => {
    const payload = { data: { a: [1], c: 2, d: { e: 1 } } };
    const rules = [
      { type: 'move', source: 'data.a', destination: 'working.b' },
      { type: 'remove', source: 'data.c' },
      { type: 'remove', source: 'data.nothing' },
      { type: 'copy', source: 'data.d', destination: 'working.d' },
      { type: 'copy', source: 'data.nothing', destination: 'working.none' },
    ];
    expect(await after(rules, payload)).toEqual({
      data: { d: { e: 1 } },
      working: { b: [1], d: { e: 1 }, none: undefined },
    });
  });

  it('changes only one of two copies', async () => {
    const rules = [
      set('1', 'a.x', 'json'),
      { type: 'copy', source: 'a', destination: 'b' },
      set('2', 'b.x', 'json'),
      set('3', 'a.y', 'json'),
      { type: 'copy', source: 'a', destination: 'a.own' },
    ];
    expect(await after(rules, {})).toEqual({ a: { x: 1, y: 3, own: { x: 1, y: 3 } }, b: { x: 2 } });
  });

  it('sees the effects of rules before', async () => {
    const rules = [set('a', 'data.x'), set('{{data.x}}b', 'data.x')];
    expect(await after(rules, {})).toEqual({ data: { x: 'ab' } });
  });

  it.each([
    [{ type: 'set', valueTemplate: 'a' }, 'rules.0.destination'],
    [{ type: 'copy', destination: 'a', source: '' }, 'rules.0.source'],
    [{ type: 'unknown' }, 'rules.0.type'],
    [{ type: 'remove', source: 'a..b' }, 'rules.0.source'],
  ])('fails with the rule %j', async (rule, at) => {
    await expect(after([rule], {})).rejects.toMatchObject({ message: expect.stringContaining(at) });
  });

  it('fails with more than 100 rules', async () => {
    const rules = Array.from({ length: 101 }, () => ({ type: 'remove', source: 'a' }));
    await expect(after(rules, {})).rejects.toThrow('at most 100');
  });
});
