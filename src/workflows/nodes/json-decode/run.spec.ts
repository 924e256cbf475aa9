import { runNode } from '../../../../test/doubles/run-node.js';
import { jsonDecodeNode } from './index.js';

const after = async (s: unknown, config = {}) =>
  (await runNode(jsonDecodeNode, { source: 's', destination: 'o', ...config }, { s })).payload;

describe('JsonDecodeNode', () => {
  it('parses a text, also over its source', async () => {
    expect(await after('{"a":[1]}')).toEqual({ s: '{"a":[1]}', o: { a: [1] } });
    expect(await after('[1]', { destination: 's' })).toEqual({ s: [1] });
  });

  it.each(['{', '', 5, undefined, { a: 1 }])('fails for %j, or writes the error', async (s) => {
    await expect(after(s)).rejects.toMatchObject({ name: 'InvalidJsonError' });
    const e = { name: 'InvalidJsonError', message: expect.any(String) };
    expect(await after(s, { errorBehavior: 'payloadPath', errorPath: 'e' })).toEqual({ s, e });
    expect(await after(s, { errorBehavior: 'payloadPath' })).toEqual({ s });
  });

  it('fails without a source, whatever the behavior', async () => {
    const config = { source: '', errorBehavior: 'payloadPath', errorPath: 'e' };
    await expect(after('1', config)).rejects.toThrow('source is required');
  });
});
