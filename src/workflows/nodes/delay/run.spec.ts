import { node, probe, runFlow } from '../../../../test/doubles/run-flow.js';
import { runNode } from '../../../../test/doubles/run-node.js';
import { RunFault } from '../../engine/run-error.js';
import { delayNode } from './index.js';

describe('DelayNode', () => {
  it.each([0, '0', '{{data.s}}'])('continues after %j seconds with the same payload', async (delay) => {
    const payload = { data: { s: 0.001 } };
    expect(await runNode(delayNode, { delay }, payload)).toMatchObject({ payload, output: undefined });
  });

  it.each([-1, 61, 'x', ''])('refuses %j', async (delay) => {
    await expect(runNode(delayNode, { delay })).rejects.toMatchObject({
      name: 'ValidationError',
      message: 'delay must be a number from 0 to 60',
    });
  });

  it('stops waiting when the run fails', async () => {
    const { failure } = await runFlow(
      [probe('fork', [['delay', 'fail']]), node('delay', 'DelayNode', { delay: 60 }), probe('fail')],
      {
        steps: {
          fork: () => 0,
          fail: () => {
            throw new RunFault('Bad', 'bad');
          },
        },
      },
    );
    expect(failure?.errorInfo.nodeId).toBe('fail');
  });
});
