import { runNode } from '../../../../test/doubles/run-node.js';
import { jsonEncodeNode } from './index.js';

describe('JsonEncodeNode', () => {
  it.each([
    [{ a: ['"', null, undefined] }, '{"a":["\\"",null,null]}'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['text', '"text"'],
    [undefined, undefined],
  ])('serializes %j', async (s, o) => {
    const config = { source: 's', destination: 'working.o' };
    expect((await runNode(jsonEncodeNode, config, { s })).payload).toEqual({ s, working: { o } });
  });
});
