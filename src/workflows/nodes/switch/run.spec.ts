import { runNode } from '../../../../test/doubles/run-node.js';
import { switchNode } from './index.js';

const CASES = [
  { caseTemplate: 'C:F' },
  { caseTemplate: 'F:C', dontBreak: false },
  { caseTemplate: '{{data.own}}' },
];

describe('SwitchNode', () => {
  it.each([
    [{ a: 'F', b: 'C' }, 2],
    [{ a: 'C', b: 'F', own: 'C:F' }, 1],
    [{ a: '1', b: 2, own: '1:2' }, 3],
    [{ a: 'K', b: 'C' }, 0],
  ])('takes the output of the first case that equals the text: %j', async (data, output) => {
    const config = { switchTemplate: '{{data.a}}:{{data.b}}', cases: CASES };
    expect(await runNode(switchNode, config, { data })).toMatchObject({ output });
  });

  it('regards two blank texts as equal', async () => {
    const config = { switchTemplate: '{{data.a}}', cases: [{ caseTemplate: '' }] };
    expect(await runNode(switchNode, config, {})).toMatchObject({ output: 1 });
  });

  it('takes output 0 without cases', async () => {
    expect(await runNode(switchNode, { switchTemplate: 'a' })).toMatchObject({ output: 0 });
  });
});
