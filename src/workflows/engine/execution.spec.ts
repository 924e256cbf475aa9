import {
  node,
  pending,
  probe,
  programOf,
  runFlow,
  runProgram,
  type TestStep,
} from '../../../test/doubles/run-flow.js';
import { END, type RunPath } from './node-run.js';
import { RunFault } from './run-error.js';
import { FAILED } from './trace.js';

const set =
  (name: string, value: unknown): TestStep =>
  ({ payload }) =>
    payload.set([name], value);
const LONG = 2_000_000_000;

describe('paths', () => {
  it('start from the payload at the fork and never see changes of each other', async () => {
    const seen: unknown[] = [];
    const see: TestStep = ({ payload }) => void seen.push(payload.get(['x']), payload.get(['working', 'y']));
    const { pathsCompleted } = await runFlow(
      [
        probe('before', [['left', 'right', 'see']]),
        probe('left', [['see']]),
        probe('right', [['see']]),
        probe('see'),
      ],
      {
        steps: {
          before: ({ payload }) => payload.set(['working', 'y'], 0),
          left: ({ payload }) => (payload.set(['x'], 'left'), payload.set(['working', 'y'], 1)),
          right: set('x', 'right'),
          see,
        },
      },
    );
    expect(seen).toEqual(['left', 1, 'right', 0, undefined, 0]);
    expect(pathsCompleted).toBe(3);
  });

  it('start at each target of the trigger, with payloads of their own', async () => {
    const seen: unknown[] = [];
    const step: TestStep = ({ payload }) => {
      seen.push(payload.get(['x']));
      payload.set(['x'], 1);
    };
    const { pathsCompleted } = await runFlow([probe('a'), probe('b')], {
      first: ['a', 'b'],
      steps: { a: step, b: step },
    });
    expect(seen).toEqual([undefined, undefined]);
    expect(pathsCompleted).toBe(2);
  });

  it.each([
    ['an output without targets', [[]], 0],
    ['an output that does not exist', [], 1],
    ['END', [['b']], END],
  ])('end at %s', async (_, outputIds, output) => {
    let isReached = false;
    const { pathsCompleted, pathsFailed } = await runFlow([probe('a', outputIds), probe('b')], {
      steps: { a: () => output, b: () => void (isReached = true) },
    });
    expect({ pathsCompleted, pathsFailed, isReached }).toEqual({
      pathsCompleted: 1,
      pathsFailed: 0,
      isReached: false,
    });
  });

  it('follow the output that a node returns, at once or later', async () => {
    const seen: string[] = [];
    const see: TestStep = ({ payload }) => void seen.push(payload.get(['data']) as string);
    await runFlow([probe('a', [[], ['b']]), probe('b', [[], [], ['c']]), probe('c')], {
      data: 'data',
      steps: { a: () => 1, b: () => Promise.resolve(2), c: see },
    });
    expect(seen).toEqual(['data']);
  });

  it('do not exist if the trigger has no targets', async () => {
    expect(await runFlow([probe('a')], { first: [] })).toMatchObject({
      pathsCompleted: 0,
      pathsFailed: 0,
      errors: [],
    });
  });

  it('wait for their own nodes only', async () => {
    const seen: string[] = [];
    const reply = pending<undefined>();
    await runFlow(
      [probe('fork', [['waits', 'goes on']]), probe('waits', [['end']]), probe('goes on'), probe('end')],
      {
        steps: {
          fork: () => 0,
          waits: () => reply.promise,
          'goes on': () => {
            seen.push('goes on');
            reply.resolve(undefined);
          },
          end: () => void seen.push('end'),
        },
      },
    );
    expect(seen).toEqual(['goes on', 'end']);
  });

  it('need no promise as long as no node waits', () => {
    const seen: string[] = [];
    void runFlow([probe('a', [['b']]), probe('b')], { steps: { a: () => 0, b: () => void seen.push('b') } });
    expect(seen).toEqual(['b']);
  });
});

describe('limits', () => {
  it('let other work of the process have its turn after 1,000 nodes', async () => {
    let executed = 0;
    let before = 0;
    setImmediate(() => (before = executed));
    await runFlow([probe('a', [['b']]), probe('b', [['a']])], {
      steps: { a: () => (++executed < 5_000 ? 0 : 1), b: () => 0 },
    });
    expect(executed).toBe(5_000);
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThanOrEqual(1_000);
  });

  it('end a run with a cycle at a million nodes', async () => {
    const { failure } = await runFlow([probe('a', [['b']]), probe('b', [['a']])], {
      timeLimit: LONG,
      steps: { a: () => 0, b: () => 0 },
    });
    expect(failure?.errorInfo).toEqual({
      error: { name: 'RangeError', message: 'A run must not execute more than 1000000 nodes' },
      nodeId: 'a',
      nodeType: 'Probe',
    });
  });

  it('end a run whose paths multiply', async () => {
    const all = Array.from({ length: 100 }, (_, i) => (i % 2 ? 'a' : 'b'));
    const { failure } = await runFlow([probe('a', [all]), probe('b', [all])], {
      timeLimit: LONG,
      steps: { a: () => 0, b: () => 0 },
    });
    expect(failure?.errorInfo.error.message).toBe('A run must not have more than 10000 paths at once');
  });

  it('end a run whose time is up while a node waits, and attribute that to the node', async () => {
    const { failure, pathsCompleted, pathsFailed } = await runFlow(
      [probe('a', [['b', 'c']]), probe('b'), probe('c')],
      {
        timeLimit: 10,
        steps: { a: () => 0, b: () => new Promise(() => undefined), c: () => 0 },
      },
    );
    expect(failure?.errorInfo).toEqual({
      error: { name: 'TimeoutError', message: 'The run took longer than 0.01 seconds' },
      nodeId: 'b',
      nodeType: 'Probe',
    });
    expect({ pathsCompleted, pathsFailed }).toEqual({ pathsCompleted: 1, pathsFailed: 1 });
  });

  it('end a run whose time is up while nodes run', async () => {
    const { failure } = await runFlow([probe('a')], { timeLimit: 0, steps: { a: () => 0 } });
    expect(failure?.errorInfo).toMatchObject({ error: { name: 'TimeoutError' }, nodeId: 'a' });
  });
});

describe('an error', () => {
  const fail =
    (error: unknown): TestStep =>
    () => {
      throw error;
    };

  it('stops all paths, also those that wait', async () => {
    const reply = pending<undefined>();
    const seen: string[] = [];
    let path: RunPath | undefined;
    const { pathsCompleted, pathsFailed } = await runFlow(
      [
        probe('fork', [['waits', 'fails', 'never']]),
        probe('waits', [['never']]),
        probe('fails'),
        probe('never'),
      ],
      {
        steps: {
          fork: () => 0,
          waits: (waiting) => ((path = waiting), reply.promise),
          fails: fail(new RunFault('Bad', 'bad')),
          never: () => void seen.push('never'),
        },
      },
    );
    reply.resolve(undefined);
    await reply.promise;
    await new Promise(setImmediate);
    expect(seen).toEqual([]);
    expect(path!.run.signal.aborted).toBe(true);
    expect({ pathsCompleted, pathsFailed }).toEqual({ pathsCompleted: 0, pathsFailed: 1 });
  });

  it('is listed with the node and its label', async () => {
    const labelled = { ...probe('a'), meta: { label: 'Call' } };
    const { errors, failure } = await runFlow([labelled], {
      steps: { a: fail(new RunFault('FunctionNodeTypeError', 'no', ['at line 1'])) },
    });
    expect(errors).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-.*Z$/) as string,
        nodeId: 'a',
        nodeLabel: 'Call',
        error: { name: 'FunctionNodeTypeError', message: 'no' },
      },
    ]);
    expect(failure?.errorInfo.error).toEqual({
      name: 'FunctionNodeTypeError',
      message: 'no',
      stack: ['at line 1'],
    });
  });

  it('of a rejected promise ends the run, too', async () => {
    const { failure } = await runFlow([probe('a')], {
      steps: { a: () => Promise.reject(new RunFault('Bad', 'bad')) },
    });
    expect(failure?.errorInfo.error).toEqual({ name: 'Bad', message: 'bad' });
  });

  it('of a round is the first one, also if another path of it fails later', async () => {
    const late = pending<undefined>();
    const isFirst = ({ payload }: RunPath) => payload.get(['i', 'first']) === true;
    const { failure, errors } = await runFlow(
      [
        node('loop', 'LoopNode', { loopSourcePath: 'data', currentItemPath: 'i', parallel: true }, [
          [],
          ['waits', 'fails'],
        ]),
        probe('waits', [], 'loop'),
        probe('fails', [], 'loop'),
      ],
      {
        data: 2,
        steps: {
          waits: (path) => (isFirst(path) ? late.promise : 0),
          fails: async (path) => {
            if (isFirst(path)) throw new RunFault('Bad', 'first');
            late.reject(new RunFault('Bad', 'later'));
            await new Promise(setImmediate);
          },
        },
      },
    );
    expect(failure?.errorInfo).toMatchObject({ nodeId: 'fails', error: { message: 'first' } });
    expect(errors).toHaveLength(1);
  });

  it('of the platform is hidden from the author and kept for the log', async () => {
    const error = new Error('password authentication failed for user "admin"');
    const { errors, failure, internalError } = await runFlow([probe('a')], { steps: { a: fail(error) } });
    expect(JSON.stringify([errors, failure])).not.toContain('password');
    expect(errors[0]!.error.name).toBe('InternalError');
    expect(internalError).toBe(error);
  });

  it('of a text that is no JSON is shown', async () => {
    const { errors, internalError } = await runFlow([probe('a')], {
      steps: { a: () => JSON.parse('{') as undefined },
    });
    expect(errors[0]!.error.name).toBe('SyntaxError');
    expect(internalError).toBeUndefined();
  });

  it('hands over the payload at the time of the error, and the caller that waits', async () => {
    const { failure } = await runFlow([probe('a', [['b']]), probe('b')], {
      data: { replyId: 'endpoint.1' },
      steps: { a: set('x', 1), b: fail(new RunFault('Bad', 'bad')) },
    });
    expect(failure).toMatchObject({ replyId: 'endpoint.1', erroredPayload: { x: 1, triggerId: 'button' } });
    const other = await runFlow([probe('a')], { steps: { a: fail(new RunFault('Bad', 'bad')) } });
    expect(other.failure).not.toHaveProperty('replyId');
  });

  it('omits a payload of more than 256 KiB', async () => {
    const omitted = async (length: number) => {
      const { failure } = await runFlow([probe('a')], {
        data: 'x'.repeat(length),
        steps: { a: fail(new RunFault('Bad', 'bad')) },
      });
      return failure!.erroredPayload;
    };
    expect(await omitted(256 * 1024)).toBe('Payload data omitted due to size');
    expect(await omitted(255 * 1024)).toMatchObject({ flowName: 'Alarm' });
  });
});

describe('a node that cannot run', () => {
  it.each([
    ['SnowflakeNode', 'SnowflakeNode a cannot run: this platform has no connector for Snowflake'],
    ['ModbusReadNode', 'ModbusReadNode a cannot run: it runs on edge devices only'],
    ['NotebookExecuteNode', 'NotebookExecuteNode a cannot run: this platform has no notebooks'],
    ['UnknownNode', 'UnknownNode a cannot run: this platform cannot run its type'],
    ['RegisteredFunctionNode', 'RegisteredFunctionNode a cannot run: this platform cannot run its type'],
  ])('of type %s fails the run only if a path reaches it', async (type, message) => {
    const nodes = [node('b', 'AnnotationNode', {}), node('a', type, {})];
    expect((await runFlow(nodes)).errors).toEqual([]);
    const { failure } = await runFlow(nodes, { first: ['a'] });
    expect(failure?.errorInfo).toEqual({
      error: { name: 'UnsupportedNodeError', message },
      nodeId: 'a',
      nodeType: type,
    });
  });

  it('because of its configuration fails the run only if a path reaches it', async () => {
    const nodes = [
      node('b', 'AnnotationNode', {}),
      node('a', 'ThrowErrorNode', { messageTemplate: '{{#if' }),
    ];
    expect((await runFlow(nodes)).errors).toEqual([]);
    const { failure } = await runFlow(nodes, { first: ['a'] });
    expect(failure?.errorInfo.error).toMatchObject({ name: 'ValidationError' });
    expect(failure?.errorInfo.error.message).toContain('messageTemplate');
  });
});

describe('the trace', () => {
  it('has each execution of a node with its output', async () => {
    const program = programOf([probe('a', [[], ['b']]), probe('b')], {
      steps: { a: () => 1, b: () => Promise.resolve(undefined) },
    });
    const { trace } = await runProgram(program, { isTraced: true });
    expect(trace!.entries).toEqual([
      [0, expect.any(Number), expect.any(Number), 1],
      [1, expect.any(Number), expect.any(Number), 0],
    ]);
    expect(trace!.entries.every(([, start, duration]) => start >= 0 && duration >= 0)).toBe(true);
    expect((await runProgram(program)).trace).toBeUndefined();
  });

  it('has the node that failed, and the first and last executions of a long run', async () => {
    const nodes = [
      node('loop', 'LoopNode', { loopSourcePath: 'data', currentItemPath: 'i' }, [[], ['in']]),
      probe('in', [], 'loop'),
    ];
    const step: TestStep = (path) => {
      if (path.payload.get(['i', 'value']) === 1_999) throw new RunFault('Bad', 'no luck');
    };
    const data = Array.from({ length: 2_000 }, (_, i) => i);
    const { trace } = await runFlow(nodes, { isTraced: true, steps: { in: step }, data });
    expect(trace!.count).toBe(2_001);
    const { entries } = trace!;
    expect(entries).toHaveLength(1_000);
    expect(entries.slice(-2).map(([at, , , output]) => [at, output])).toEqual([
      [1, FAILED],
      [0, FAILED],
    ]);
    // The loop began first and ended last.
    const starts = entries.slice(0, -1).map(([, start]) => start);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  });
});

it('aborts the signal when the run ends', async () => {
  let path: RunPath | undefined;
  let wasAborted: boolean | undefined;
  await runFlow([probe('a')], {
    steps: { a: (at) => ((path = at), (wasAborted = at.run.signal.aborted), Promise.resolve(0)) },
  });
  expect(wasAborted).toBe(false);
  expect(path!.run.signal.aborted).toBe(true);
});
