import { runNode } from '../../../../test/doubles/run-node.js';
import { objectNode } from './index.js';

const after = async (operations: object[], payload: object, config = {}): Promise<Record<string, unknown>> =>
  (await runNode(objectNode, { sourcePath: 'a', destPath: 'r', operations, ...config }, payload))
    .payload as Record<string, unknown>;

describe('ObjectNode', () => {
  it('applies operations in order', async () => {
    const payload = { a: { x: 1, y: { p: 1 } }, b: { y: { q: 2 } } };
    const operations = [
      { type: 'mergeDeep', inputTemplate: '{{b}}' },
      { type: 'keys', outputPath: 'k' },
    ];
    const expected = { r: { x: 1, y: { p: 1, q: 2 } }, k: ['x', 'y'] };
    expect(await after(operations, payload)).toEqual({ ...payload, ...expected });
  });

  it.each([
    ['assign', '{ "y": {{n}} }', { x: 1, y: { p: 1 } }, { x: 1, y: 5 }],
    ['mergeDeep', '{ "l": [{ "b": 2 }] }', { l: [{ a: 1 }, 3] }, { l: [{ a: 1, b: 2 }, 3] }],
    ['mergeDeep', '{ "x": null }', { x: 1 }, { x: null }],
    ['pick', '["x", "none"]', { x: 1, y: 2 }, { x: 1 }],
    ['omit', '["x"]', { x: 1, y: 2 }, { y: 2 }],
    ['assign', '{ "x": 1 }', undefined, { x: 1 }],
  ])('%s with %s', async (type, inputTemplate, a, r) => {
    expect(await after([{ type, inputTemplate }], { a, n: 5 })).toEqual({ a, n: 5, r });
  });

  it.each([
    ['entries', { x: 1 }, [['x', 1]]],
    ['keys', { x: 1 }, ['x']],
    ['values', { x: 1 }, [1]],
    ['fromPairs', [['x', 1]], { x: 1 }],
    ['zipObject', [1, 2], { x: 1, y: 2 }],
  ])('writes the result of %s and passes the source on', async (type, a, o) => {
    const operation = { type, outputPath: 'o', inputTemplate: '["x", "y"]' };
    expect(await after([operation], { a })).toEqual({ a, o, r: a });
    expect(await after([operation], { a }, { destPath: '' })).toEqual({ a, o });
  });

  it('keeps dates, and own members with names that lead to prototypes', async () => {
    const date = new Date(0);
    const text = '{ "__proto__": { "polluted": true }, "d": 1 }';
    const { r } = await after([{ type: 'mergeDeep', inputTemplate: text }], { a: { date } });
    expect(r).toMatchObject({ date, d: 1 });
    expect(Object.getPrototypeOf(r)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('polluted');
  });

  it.each([
    [{ type: 'keys' }, [1], 'sourcePath must be an object'],
    [{ type: 'pick', inputTemplate: '{}' }, {}, 'inputTemplate must be a list'],
    [{ type: 'assign', inputTemplate: '[1]' }, {}, 'inputTemplate must be an object'],
    [{ type: 'assign', inputTemplate: '{' }, {}, 'operations.0.inputTemplate is not JSON'],
    [{ type: 'other' }, {}, 'operations.0.type must be one of'],
  ])('fails with %j of %j', async (operation, a, message) => {
    await expect(after([operation], { a })).rejects.toMatchObject({
      name: 'ValidationError',
      message: expect.stringContaining(message),
    });
  });

  it('fails with more than 10 operations', async () => {
    const operations = Array.from({ length: 11 }, () => ({ type: 'keys' }));
    await expect(after(operations, {})).rejects.toThrow('at most 10');
  });
});
