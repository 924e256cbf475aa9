import { MemoryStorage } from '../../../../test/doubles/memory-storage.js';
import { runNode } from '../../../../test/doubles/run-node.js';
import { throttleNode } from './index.js';

const realNow = Date.now;
afterEach(() => void (Date.now = realNow));

const ports = () => ({ storage: new MemoryStorage() });

describe('ThrottleNode', () => {
  it('lets a path through if enough time has passed since the last', async () => {
    const context = { ports: ports() };
    const config = { ratePerMinute: 2, timeSincePath: 'since' };
    const outcomes: unknown[] = [];
    for (const second of [0, 10, 30, 59, 60]) {
      Date.now = () => second * 1000;
      const { output, payload } = await runNode(throttleNode, config, {}, context);
      outcomes.push([output, (payload as { since: unknown }).since]);
    }
    expect(outcomes).toEqual([
      [1, undefined],
      [0, 10_000],
      [1, 30_000],
      [0, 29_000],
      [1, 30_000],
    ]);
  });

  it('throttles each identifier of each node alone', async () => {
    const shared = ports();
    const outputs: unknown[] = [];
    for (const [id, data] of [
      ['a', 1],
      ['a', 2],
      ['a', 1],
      ['b', 1],
    ] as const) {
      const config = { ratePerMinute: '1', throttleIdTemplate: '{{data}}' };
      const { output } = await runNode(throttleNode, config, { data }, { ports: shared, node: { id } });
      outputs.push(output);
    }
    expect(outputs).toEqual([1, 1, 0, 1]);
  });

  it.each([0, -1, 601, 'x', ''])('fails with the rate %j', async (ratePerMinute) => {
    await expect(runNode(throttleNode, { ratePerMinute }, {}, { ports: ports() })).rejects.toThrow(
      'ratePerMinute must be greater than 0',
    );
  });
});
