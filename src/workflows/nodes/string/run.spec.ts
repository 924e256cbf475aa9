import { runNode } from '../../../../test/doubles/run-node.js';
import { stringNode } from './index.js';

const result = async (method: string, sourceData: unknown, methodArgs: unknown[] = [], payload = {}) => {
  const config = { sourceData, method, methodArgs, resultPath: 'r' };
  return ((await runNode(stringNode, config, payload)).payload as { r: unknown }).r;
};

describe('StringNode', () => {
  it.each([
    ['replaceAll', 'a.b.c', ['.', '_'], 'a_b_c'],
    ['replaceAll', 'a.b', ['.', '$&'], 'a$&b'],
    ['replaceAll', 'abc', ['', 'x'], 'abc'],
    ['replaceAll', 'aXbX', ['X'], 'ab'],
    ['replaceFirst', 'a.b.c', ['.', '$1'], 'a$1b.c'],
    ['replaceFirst', 'a.b.c', ['.', '{{nothing}}'], 'ab.c'],
    ['replaceFirst', 'abc', ['x', 'y'], 'abc'],
    ['split', '{{e}}', ['@'], ['x', 'y']],
    ['split', 'a😀', [''], ['a', '😀']],
    ['split', 'a b', [], ['a b']],
    ['concat', 'a', ['b', '{{e}}', 1], 'abx@y1'],
    ['indexOf', 'abcabc', ['c'], 2],
    ['indexOf', 'abcabc', ['c', '3'], 5],
    ['indexOf', 'abc', ['x'], -1],
    ['toUpper', 'aß', [], 'ASS'],
    ['toLower', 'AB', [], 'ab'],
    ['trim', ' a ', [], 'a'],
    ['trimStart', ' a ', [], 'a '],
    ['trimEnd', ' a ', [], ' a'],
    ['toNumber', ' 1e3 ', [], 1000],
    ['toNumber', 'x', [], null],
    ['toNumber', ' ', [], null],
    ['pad', 'ab', ['5', '*'], '*ab**'],
    ['padStart', '7', [3, '0'], '007'],
    ['padEnd', 'a', ['3'], 'a  '],
    ['padStart', 'abc', ['2'], 'abc'],
    ['truncate', 'abcdefgh', ['5'], 'ab...'],
    ['truncate', 'abcdefgh', ['5', '~'], 'abcd~'],
    ['truncate', 'abcdefgh', ['2'], '...'],
    ['truncate', 'abc', ['3'], 'abc'],
    ['truncate', 'a'.repeat(31), ['0'], `${'a'.repeat(27)}...`],
    ['truncate', 'a'.repeat(31), [''], `${'a'.repeat(27)}...`],
  ])('%s of %j with %j', async (method, text, args, expected) => {
    expect(await result(method, text, args, { e: 'x@y' })).toEqual(expected);
  });

  it.each([
    ['toUpper', '{{none}}', [], 'sourceData is required'],
    ['', 'a', [], 'method is required'],
    ['other', 'a', [], 'method must be one of'],
    ['pad', 'a', ['1001'], 'methodArgs.0 must be an integer from 0 to 1000'],
    ['pad', 'a', ['-1'], 'methodArgs.0 must be an integer from 0 to 1000'],
    ['truncate', 'a', ['x'], 'methodArgs.0 must be an integer'],
    ['indexOf', 'a', ['a', '1.5'], 'methodArgs.1 must be an integer'],
  ])('fails for %s of %j with %j', async (method, text, args, message) => {
    await expect(result(method, text, args)).rejects.toThrow(message);
  });

  it('fails for a result that is too large', async () => {
    const payload = { long: 'a'.repeat(4000) };
    const error = { name: 'PayloadTooLarge' };
    await expect(result('replaceAll', '{{long}}', ['a', '{{long}}'], payload)).rejects.toMatchObject(error);
  });
});
