import { runNode } from '../../../../test/doubles/run-node.js';
import { conditionalNode } from './index.js';

describe('ConditionalNode', () => {
  it.each([
    ['{{data.temp}} > 80', { data: { temp: 81 } }, 1],
    ['{{data.temp}} > 80', { data: { temp: 80 } }, 0],
    ['{{working.error}}', {}, 0],
    ['!{{working.user}} || length({{working.ids}}) === 1', { working: { user: { id: 1 }, ids: ['a'] } }, 1],
    ['{{data.text}}', { data: { text: 'false' } }, 1],
  ])('takes the output by the truth of %s', async (expression, payload, output) => {
    expect(await runNode(conditionalNode, { expression }, payload)).toMatchObject({ payload, output });
  });

  it('fails without an expression, or with one that cannot be parsed', async () => {
    const error = { name: 'ValidationError', message: expect.stringContaining('expression') };
    await expect(runNode(conditionalNode, { expression: '' })).rejects.toMatchObject(error);
    await expect(runNode(conditionalNode, { expression: '1 +' })).rejects.toMatchObject(error);
  });
});
