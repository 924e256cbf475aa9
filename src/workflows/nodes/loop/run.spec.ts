import { node, pending, probe, runFlow, type TestStep } from '../../../../test/doubles/run-flow.js';
import { runLoop, SOURCE } from '../../../../test/doubles/run-loop.js';
import { LOOP_SOURCES } from '../../../../test/make/loop-sources.js';
import { RunFault } from '../../engine/run-error.js';

const MANY = 262_145;

describe('LoopNode', () => {
  it.each([...LOOP_SOURCES, ['a date', new Date(0), []] as const])(
    'runs once for each item of %s',
    async (_name, data, items) => {
      for (const parallel of [false, true]) {
        const seen: unknown[] = [];
        const { payload } = await runLoop(
          { parallel, mapResultPath: 'm' },
          ({ payload }) => void seen.push(payload.get(['i'])),
          { data },
        );
        expect(seen).toEqual(items);
        expect(payload.m).toEqual(items);
      }
    },
  );

  it('hands the payload of a round on through its cap, and drops it otherwise', async () => {
    const add: TestStep = ({ payload }) => {
      payload.set(['n'], Number(payload.get(['n']) ?? 0) + 1);
      return payload.get(['i', 'index']) === 1 ? 1 : 0;
    };
    const { payload } = await runLoop({}, add, { data: 4 });
    expect(payload).toMatchObject({ n: 3, i: { index: 3 } });
  });

  it('keeps what a round has mapped from later rounds', async () => {
    const { payload } = await runLoop(
      { mapResultPath: 'm', mapValuePath: 'sum' },
      ({ payload }) => payload.set(['sum', 'n'], Number(payload.get(['sum', 'n']) ?? 0) + 1),
      { data: 3 },
    );
    expect(payload.m).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it('drops all changes of rounds without a cap, also to lists', async () => {
    const { payload } = await runLoop(
      {},
      ({ payload }) => {
        const index = Number(payload.get(['i', 'index']));
        payload.set(['list', String(index)], { index });
        payload.set(['copy'], payload.get(['list']));
        payload.set(['list', '0', 'seen'], index);
        return index % 2;
      },
      { data: 4 },
    );
    expect(payload.list).toEqual([{ index: 0, seen: 2 }, undefined, { index: 2 }]);
    expect(payload.copy).toEqual([{ index: 0, seen: 0 }, undefined, { index: 2 }]);
  });

  it('stops after a round whose cap breaks', async () => {
    const { payload } = await runLoop({ mapResultPath: 'm' }, () => 0, {
      data: 3,
      cap: { shouldBreak: true },
    });
    expect(payload.m).toEqual([{ value: 0, index: 0, first: true }]);
  });

  it('maps the value of the cap, else that of the loop, and null or nothing for a round without a cap', async () => {
    const data = [
      { t: 1, u: 3 },
      { t: 2, u: 4 },
    ];
    const skipFirst: TestStep = ({ payload }) => (payload.get(['i', 'first']) ? 1 : 0);
    const ofLoop = { mapResultPath: 'data', mapValuePath: 'i.value.t' };
    expect((await runLoop(ofLoop, () => 0, { data })).payload.data).toEqual([1, 2]);
    const cap = { mapValuePath: 'i.value.u' };
    expect((await runLoop(ofLoop, () => 0, { data, cap })).payload.data).toEqual([3, 4]);
    expect((await runLoop(ofLoop, skipFirst, { data })).payload.data).toEqual([undefined, 2]);
  });

  it('writes an empty list if it has no rounds or no nodes', async () => {
    expect((await runLoop({ mapResultPath: 'm' }, () => 0, { data: [] })).payload.m).toEqual([]);
    let payload: unknown;
    await runFlow(
      [node('loop', 'LoopNode', { ...SOURCE, mapResultPath: 'm' }, [['after'], []]), probe('after')],
      {
        data: MANY,
        steps: { after: (path) => void (payload = path.payload.get(['m'])) },
      },
    );
    expect(payload).toEqual([]);
  });

  it('iterates over the source as it was before the loop', async () => {
    const { payload } = await runLoop(
      { mapResultPath: 'm', mapValuePath: 'i.value.n' },
      ({ payload }) => {
        payload.set(['data', '2', 'n'], 'changed');
        payload.set(['data', '3'], { n: 'added' });
      },
      { data: [{ n: 0 }, { n: 1 }, { n: 2 }] },
    );
    expect(payload.m).toEqual([0, 1, 2]);
    expect(payload.data).toEqual([{ n: 0 }, { n: 1 }, { n: 'changed' }, { n: 'added' }]);
  });

  it('uses the first cap of a round, after all paths of the round have ended', async () => {
    const seen: unknown[] = [];
    let payload: unknown;
    await runFlow(
      [
        node('loop', 'LoopNode', { ...SOURCE, mapResultPath: 'm', mapValuePath: 'x' }, [['after'], ['in']]),
        probe('in', [['slow', 'fast']], 'loop'),
        probe('slow', [['cap']], 'loop'),
        probe('fast', [['cap']], 'loop'),
        node('cap', 'LoopCapNode', {}, [], 'loop'),
        probe('after'),
      ],
      {
        data: 2,
        steps: {
          in: ({ payload }) => void seen.push(payload.get(['i', 'index'])),
          slow: async ({ payload }) => {
            await new Promise(setImmediate);
            payload.set(['x'], 'slow');
            seen.push('slow');
            return 0;
          },
          fast: ({ payload }) => payload.set(['x'], 'fast'),
          after: (path) => void (payload = path.payload.data),
        },
      },
    );
    expect(seen).toEqual([0, 'slow', 1, 'slow']);
    expect(payload).toMatchObject({ m: ['fast', 'fast'], x: 'fast' });
  });

  it('can be nested', async () => {
    let payload: unknown;
    await runFlow(
      [
        node(
          'outer',
          'LoopNode',
          { loopSourcePath: 'data', currentItemPath: 'row', mapResultPath: 'm', mapValuePath: 'items' },
          [['after'], ['inner']],
        ),
        node(
          'inner',
          'LoopNode',
          {
            loopSourcePath: 'row.value',
            currentItemPath: 'item',
            mapResultPath: 'items',
            mapValuePath: 'item.value',
          },
          [['outer cap'], ['inner cap']],
          'outer',
        ),
        node('inner cap', 'LoopCapNode', {}, [], 'inner'),
        node('outer cap', 'LoopCapNode', {}, [], 'outer'),
        probe('after'),
      ],
      { data: [[1, 2], [], 'ab'], steps: { after: (path) => void (payload = path.payload.get(['m'])) } },
    );
    expect(payload).toEqual([[1, 2], [], ['a', 'b']]);
  });

  it('stops at once when a node inside it fails', async () => {
    const seen: unknown[] = [];
    const { failure, errors } = await runLoop(
      {},
      ({ payload }) => {
        seen.push(payload.get(['i', 'index']));
        if (payload.get(['i', 'index']) === 1) throw new RunFault('Bad', 'bad');
      },
      { data: 4 },
    );
    expect(seen).toEqual([0, 1]);
    expect(errors).toHaveLength(1);
    expect(failure).toMatchObject({
      errorInfo: { nodeId: 'in', error: { name: 'Bad' } },
      erroredPayload: { i: { index: 1 } },
    });
  });

  it('stops at once when a node inside it fails later, before other paths go on', async () => {
    const seen: string[] = [];
    const reply = pending<undefined>();
    const result = runFlow(
      [
        probe('fork', [['loop', 'other']]),
        node('loop', 'LoopNode', SOURCE, [[], ['in']]),
        probe('in', [['fails']], 'loop'),
        probe('fails', [], 'loop'),
        probe('other', [['never']]),
        probe('never'),
      ],
      {
        data: 2,
        steps: {
          fork: () => 0,
          // Both paths are ready in the same turn, and this one is next.
          in: () => reply.promise.then(() => undefined),
          other: () => reply.promise,
          fails: () => {
            throw new RunFault('Bad', 'bad');
          },
          never: () => void seen.push('never'),
        },
      },
    );
    reply.resolve(undefined);
    expect((await result).failure?.errorInfo.nodeId).toBe('fails');
    expect(seen).toEqual([]);
  });

  it(`refuses more than ${MANY - 1} rounds`, async () => {
    for (const data of [MANY, -1e300, Infinity, 'x'.repeat(2 * MANY), new Array(MANY).fill(0)])
      expect((await runLoop({}, () => 0, { data })).failure?.errorInfo).toEqual({
        error: { name: 'RangeError', message: 'A loop must not have more than 262144 iterations' },
        nodeId: 'loop',
        nodeType: 'LoopNode',
      });
  });

  it(`runs ${MANY - 1} rounds`, async () => {
    const { payload } = await runLoop({ mapResultPath: 'm' }, () => 0, {
      data: MANY - 1,
      timeLimit: 2_000_000_000,
    });
    expect(payload.m).toHaveLength(MANY - 1);
  });

  it('is attributed the nodes inside it, not itself, when the time is up', async () => {
    const { failure } = await runLoop({}, () => new Promise(() => undefined), { data: 2, timeLimit: 10 });
    expect(failure?.errorInfo).toMatchObject({ nodeId: 'in', error: { name: 'TimeoutError' } });
  });
});

describe('LoopCapNode', () => {
  it('outside a loop only ends its path', async () => {
    expect(await runFlow([node('cap', 'LoopCapNode', {})])).toMatchObject({ pathsCompleted: 1, errors: [] });
  });
});
