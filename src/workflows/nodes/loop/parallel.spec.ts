import { pending, node, probe, runFlow } from '../../../../test/doubles/run-flow.js';
import { runLoop, SOURCE } from '../../../../test/doubles/run-loop.js';
import type { RunPath } from '../../engine/node-run.js';
import { RunFault } from '../../engine/run-error.js';

describe('a parallel LoopNode', () => {
  it('runs five rounds at once and keeps the order of the source', async () => {
    const waiting: (() => void)[] = [];
    let most = 0;
    let now = 0;
    const result = runLoop(
      { parallel: true, mapResultPath: 'm', mapValuePath: 'i.value' },
      async () => {
        most = Math.max(most, ++now);
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          // The latest round of those that run at once ends first.
          if (waiting.length === 5)
            setImmediate(() =>
              waiting
                .splice(0)
                .reverse()
                .forEach((end) => end()),
            );
        });
        now--;
        return 0;
      },
      { data: [...'abcdefghij'] },
    );
    expect((await result).payload.m).toEqual([...'abcdefghij']);
    expect(most).toBe(5);
  });

  it('starts each round from the payload before the loop and leaves nothing but the map', async () => {
    const seen: unknown[] = [];
    const { payload } = await runLoop(
      { parallel: true },
      ({ payload }) => {
        seen.push(payload.get(['n']));
        payload.set(['n'], 1);
      },
      { data: 3, cap: { shouldBreak: true } },
    );
    expect(seen).toEqual([undefined, undefined, undefined]);
    expect(payload).not.toHaveProperty('n');
    expect(payload).not.toHaveProperty('i');
  });

  it.each([false, true])('fails after all rounds have ended; waiting: %s', async (waits) => {
    const seen: unknown[] = [];
    const { failure, pathsFailed } = await runLoop(
      { parallel: true },
      ({ payload }) => {
        const index = payload.get(['i', 'index']) as number;
        seen.push(index);
        const go = (): number => {
          if (index % 2 === 1) throw new RunFault('Bad', String(index));
          return 0;
        };
        return waits ? new Promise(setImmediate).then(go) : go();
      },
      { data: 12 },
    );
    expect(seen).toHaveLength(12);
    expect(failure?.errorInfo).toEqual({
      error: { name: 'Bad', message: '1' },
      nodeId: 'in',
      nodeType: 'Probe',
    });
    expect(pathsFailed).toBe(1);
  });

  it('stops the other paths of a round that fails', async () => {
    const seen: unknown[] = [];
    const reply = pending<undefined>();
    const isFirst = ({ payload }: RunPath) => payload.get(['i', 'first']) === true;
    const result = await runFlow(
      [
        node('loop', 'LoopNode', { ...SOURCE, parallel: true }, [[], ['waits', 'fails', 'ready']]),
        probe('waits', [['resumed']], 'loop'),
        probe('fails', [], 'loop'),
        probe('ready', [], 'loop'),
        probe('resumed', [], 'loop'),
      ],
      {
        data: 2,
        steps: {
          waits: () => reply.promise,
          fails: async (path) => {
            if (isFirst(path)) throw new RunFault('Bad', 'bad');
            reply.resolve(undefined);
            await new Promise(setImmediate);
          },
          ready: async (path) => {
            if (!isFirst(path)) await new Promise(setImmediate);
          },
          resumed: (path) => void seen.push(['resumed', isFirst(path)]),
        },
      },
    );
    expect(result.failure?.errorInfo.nodeId).toBe('fails');
    expect(seen).toContainEqual(['resumed', false]);
    expect(seen).not.toContainEqual(['resumed', true]);
  });

  it('starts no path of a round that has failed', async () => {
    const seen: unknown[] = [];
    await runFlow(
      [
        node('loop', 'LoopNode', { ...SOURCE, parallel: true }, [[], ['fails', 'ready']]),
        probe('fails', [], 'loop'),
        probe('ready', [], 'loop'),
      ],
      {
        data: 2,
        steps: {
          fails: ({ payload }) => {
            if (payload.get(['i', 'index']) === 0) throw new RunFault('Bad', 'bad');
            return new Promise(setImmediate).then(() => 0);
          },
          ready: ({ payload }) => void seen.push(payload.get(['i', 'index'])),
        },
      },
    );
    expect(seen).toEqual([1]);
  });
});
