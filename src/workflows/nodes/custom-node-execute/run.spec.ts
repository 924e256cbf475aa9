import {
  node,
  probe,
  programOf,
  runFlow,
  type FlowOptions,
  type ProgramOptions,
  type TestStep,
} from '../../../../test/doubles/run-flow.js';
import type { CustomNodeConfig, FlowNode } from '../../graph/graph.js';
import type { Program } from '../../engine/program.js';
import { RunFault } from '../../engine/run-error.js';

type Fields = CustomNodeConfig['fields'];

const cap = (id: string, resultSourcePath: string, branchIndexTemplate: unknown = 0): FlowNode =>
  node(id, 'CustomNodeCapNode', { resultSourcePath, branchIndexTemplate });

function customNode(nodes: FlowNode[], fields: Fields = [], options: ProgramOptions = {}): Program {
  return programOf(nodes, {
    customNode: { outputCount: 2, resultMode: 'optional', fields },
    ...options,
    facts: { flowId: 'c'.repeat(24), flowName: 'Mean', flowClass: 'customNode', ...options.facts },
  });
}

/** Calls a program; `output` is that by which the path continues. */
async function call(program: Program | undefined, config: object = {}, options: FlowOptions = {}) {
  let payload: unknown;
  let output: number | undefined;
  const leave =
    (by: number): TestStep =>
    (path) => {
      output = by;
      payload = path.payload.data;
    };
  const result = await runFlow(
    [
      node(
        'call',
        'CustomNodeExecuteNode',
        { customNodeId: 'c'.repeat(24), resultPath: 'working.r', ...config },
        [['no'], ['yes']],
      ),
      probe('no'),
      probe('yes'),
    ],
    {
      ...options,
      steps: { no: leave(0), yes: leave(1) },
      ports: { programs: { customNode: () => program } },
    },
  );
  return { ...result, output, payload: payload as Record<string, unknown> };
}

/** Returns the inputs of a custom node. */
async function inputsOf(fields: Fields, values: object, data: unknown = {}) {
  const config = { fields: Object.entries(values).map(([id, value]) => ({ id, value })) };
  const { payload, failure } = await call(customNode([cap('cap', 'data')], fields), config, { data });
  return failure ? failure.errorInfo.error : (payload.working as { r: unknown }).r;
}

describe('inputs', () => {
  const field = (type: string, more: object = {}) => [{ id: 'f', type, label: 'F', ...more }];

  it.each<[string, object, unknown, unknown]>([
    ['stringTemplate', {}, '{{data.l}} m', '2 m'],
    ['stringTemplate', { defaultValue: 'north' }, '', 'north'],
    ['stringTemplate', { defaultValue: 'north' }, '{{data.none}}', 'north'],
    ['stringTemplate', { validRegExp: '^[a-z]+$' }, 'abc', 'abc'],
    ['numberTemplate', {}, '{{data.l}}', 2],
    ['numberTemplate', {}, 3, 3],
    ['numberTemplate', { defaultValue: 20 }, ' ', 20],
    ['numberTemplate', { validMin: 0, validMax: 2 }, '0', 0],
    ['jsonTemplate', {}, '{"a": {{data.l}}}', { a: 2 }],
    ['jsonTemplate', {}, '{{data.o}}', { x: [1] }],
    ['jsonTemplate', { defaultValue: '{"b":1}' }, '', { b: 1 }],
    ['payloadPath', {}, 'data.o.x', [1]],
    ['payloadPath', { required: true }, 'data.none', undefined],
    ['select', { defaultValue: 'a', options: [{ value: 'a' }] }, 'b{{x}}', 'b{{x}}'],
    ['select', { defaultValue: 'a', options: [{ value: 'a' }] }, undefined, 'a'],
    ['checkbox', {}, true, true],
    ['checkbox', { defaultValue: true }, false, false],
    ['checkbox', { defaultValue: true }, undefined, true],
    ['stringTemplate', {}, undefined, undefined],
    ['section', {}, 'x', undefined],
  ])('of type %s with %j read %j as %j', async (type, more, value, expected) => {
    const data = { l: '2', o: { x: [1] } };
    expect(await inputsOf(field(type, more), { f: value }, data)).toEqual(
      expected === undefined ? {} : { f: expected },
    );
  });

  it.each<[string, object, unknown, string]>([
    ['stringTemplate', { required: true }, '{{data.none}}', 'f is required'],
    ['stringTemplate', { validRegExp: '^[a-z]+$' }, 'A', 'f must match ^[a-z]+$'],
    ['stringTemplate', { validRegExp: '(' }, 'A', 'f is not a regular expression'],
    ['numberTemplate', { required: true }, '', 'f is required'],
    ['numberTemplate', {}, 'x', 'f must be a number'],
    ['numberTemplate', { validMin: 1 }, '0', 'f must be a number from 1'],
    ['numberTemplate', { validMax: 1 }, '2', 'f must be a number from -Infinity to 1'],
    ['jsonTemplate', {}, '{', 'f is not JSON'],
    ['jsonTemplate', { required: true }, '', 'f is required'],
    ['payloadPath', { required: true }, '', 'f is required'],
    ['stringTemplate', {}, { a: 1 }, 'config.f must be a string'],
    ['stringTemplate', {}, '{{#if', 'has an unexpected "i"'],
  ])('of type %s with %j refuse %j', async (type, more, value, message) => {
    const error = (await inputsOf(field(type, more), { f: value })) as Error;
    expect(error.name).toBe('ValidationError');
    expect(error.message).toContain(message);
  });
});

describe('CustomNodeExecuteNode', () => {
  it('runs on a payload of its own, as the workflow of the custom node', async () => {
    let inner: unknown;
    let run: unknown;
    const program = customNode(
      [probe('in', [['cap']]), cap('cap', 'data.user.id')],
      [{ id: 'user', type: 'payloadPath' }],
      {
        globals: [{ key: 'own', json: '1' }],
        steps: {
          in: (path) => {
            inner = path.payload.data;
            run = path.run;
            path.payload.set(['data', 'user', 'id'], 'changed');
          },
        },
      },
    );
    const { payload } = await call(
      program,
      { fields: [{ id: 'user', value: 'data.u' }] },
      { data: { u: { id: 'u' } } },
    );
    expect(inner).toEqual({
      time: expect.any(Date) as Date,
      data: { user: { id: 'u' } },
      applicationId: 'a'.repeat(24),
      applicationName: 'Pumps',
      flowId: 'c'.repeat(24),
      flowName: 'Mean',
      flowVersion: 'develop',
      triggerId: 'customNodeStart',
      triggerType: 'customNodeStart',
      globals: { own: 1 },
    });
    expect(run).toMatchObject({ id: 'run', flowId: 'c'.repeat(24), flowClass: 'customNode' });
    expect(payload).toMatchObject({ data: { u: { id: 'u' } }, working: { r: 'changed' }, globals: {} });
  });

  it.each<[unknown, unknown]>([
    [0, 0],
    [1, 1],
    ['{{data.branch}}', 1],
    ['', 0],
    ['x', 0],
  ])('continues at the output of the branch %j', async (branch, output) => {
    const program = customNode([probe('in', [['cap']]), cap('cap', 'none', branch)], [], {
      steps: { in: ({ payload }) => payload.set(['data', 'branch'], '1') },
    });
    const result = await call(program);
    expect(result.output).toBe(output);
    expect(result.payload.working).toEqual({ r: undefined });
  });

  it('writes nothing without a path for the result', async () => {
    const { payload } = await call(customNode([cap('cap', 'data')]), { resultPath: '' });
    expect(payload).not.toHaveProperty('working');
  });

  it('ends the path of the caller if no cap is reached', async () => {
    const { output, pathsCompleted } = await call(customNode([probe('in')], [], { steps: { in: () => 0 } }));
    expect({ output, pathsCompleted }).toEqual({ output: undefined, pathsCompleted: 1 });
  });

  it.each([false, true])(
    'returns at the first cap, and other paths go on as part of the run; waiting: %s',
    async (waits) => {
      const seen: string[] = [];
      const program = customNode(
        [
          probe('fork', [['set', 'side', 'late cap']]),
          probe('set', [['cap']]),
          cap('cap', 'x'),
          probe('side'),
          cap('late cap', 'y'),
        ],
        [],
        {
          steps: {
            fork: () => 0,
            set: ({ payload }) => {
              payload.set(['x'], 'first');
              return waits ? Promise.resolve(0) : 0;
            },
            side: async () => {
              await new Promise(setImmediate);
              seen.push('side');
              return 0;
            },
          },
        },
      );
      const { payload, pathsCompleted } = await call(program);
      expect(payload.working).toEqual({ r: waits ? undefined : 'first' });
      expect(seen).toEqual(['side']);
      expect(pathsCompleted).toBe(1);
    },
  );

  const failing = (): Program =>
    customNode([probe('in')], [], {
      steps: {
        in: ({ payload }) => {
          payload.set(['inner'], 1);
          throw new RunFault('Bad', 'bad');
        },
      },
    });

  it('fails the run of the caller with errors inside, which are its own', async () => {
    const { failure, errors } = await call(failing());
    expect(failure?.errorInfo).toEqual({
      error: { name: 'Bad', message: 'bad' },
      nodeId: 'call',
      nodeType: 'CustomNodeExecuteNode',
    });
    expect(failure?.erroredPayload).toMatchObject({ flowName: 'Alarm' });
    expect(failure?.erroredPayload).not.toHaveProperty('inner');
    expect(errors).toHaveLength(1);
  });

  it('fails the run of the caller with errors of paths that go on', async () => {
    const program = customNode([probe('fork', [['cap', 'late']]), cap('cap', 'x'), probe('late')], [], {
      steps: {
        fork: () => 0,
        late: () => new Promise(setImmediate).then(() => Promise.reject(new RunFault('Bad', 'bad'))),
      },
    });
    const { failure, output } = await call(program);
    expect(output).toBe(0);
    expect(failure?.errorInfo).toMatchObject({ nodeId: 'call', error: { name: 'Bad' } });
  });

  it('is attributed the time that nodes inside it wait', async () => {
    const program = customNode([probe('in')], [], { steps: { in: () => new Promise(() => undefined) } });
    const { failure } = await call(program, {}, { timeLimit: 10 });
    expect(failure?.errorInfo).toMatchObject({ nodeId: 'call', error: { name: 'TimeoutError' } });
  });

  it('keeps its inputs when the caller changes them later', async () => {
    let late: unknown;
    const program = customNode(
      [probe('fork', [['cap', 'late']]), cap('cap', ''), probe('late', [['read']]), probe('read')],
      [{ id: 'f', type: 'payloadPath' }],
      {
        steps: {
          fork: () => 0,
          late: () => new Promise(setImmediate).then(() => 0),
          read: ({ payload }) => void (late = payload.get(['data', 'f', 'x'])),
        },
      },
    );
    await runFlow(
      [
        probe('own', [['call']]),
        node('call', 'CustomNodeExecuteNode', { customNodeId: 'c', fields: [{ id: 'f', value: 'o' }] }, [
          ['change'],
        ]),
        probe('change'),
      ],
      {
        steps: {
          own: ({ payload }) => payload.set(['o', 'x'], 1),
          change: ({ payload }) => payload.set(['o', 'x'], 2),
        },
        ports: { programs: { customNode: () => program } },
      },
    );
    expect(late).toBe(1);
  });

  it('shows no debug messages of the custom node, but those of its errors', async () => {
    const quiet = customNode([node('say', 'DebugNode', { message: 'inside' }, [['cap']]), cap('cap', '')]);
    expect((await call(quiet)).messages).toEqual([]);
    expect((await call(failing())).messages).toMatchObject([{ sourceNode: 'call', flowId: 'f'.repeat(24) }]);
  });

  it('refuses recursion', async () => {
    const again = node('again', 'CustomNodeExecuteNode', { customNodeId: 'c'.repeat(24) });
    const { failure } = await call(customNode([again]));
    expect(failure?.errorInfo).toMatchObject({ nodeId: 'call', error: { name: 'RecursionError' } });
  });

  it('asks for the version that it names', async () => {
    const asked: unknown[] = [];
    for (const config of [{ customNodeVersion: 'v1', isInstance: true }, {}]) {
      const { failure } = await runFlow(
        [node('call', 'CustomNodeExecuteNode', { customNodeId: 'id', ...config })],
        {
          ports: {
            programs: {
              customNode: ({ applicationId }, ...args) => {
                asked.push([applicationId, ...args]);
                return Promise.resolve(undefined);
              },
            },
          },
        },
      );
      expect(failure?.errorInfo.error.name).toBe('NotFound');
    }
    expect(asked).toEqual([
      ['a'.repeat(24), 'id', 'v1', true],
      ['a'.repeat(24), 'id', 'default', false],
    ]);
  });

  it('prepares its inputs again when the development version changes', async () => {
    const programs = ['payloadPath', 'stringTemplate'].map((type) =>
      customNode([cap('cap', 'data.f')], [{ id: 'f', type }]),
    );
    let payload: unknown;
    const config = { customNodeId: 'id', resultPath: 'r', fields: [{ id: 'f', value: 'data' }] };
    await runFlow(
      [
        node(
          'loop',
          'LoopNode',
          { loopSourcePath: 'data', currentItemPath: 'i', mapResultPath: 'm', mapValuePath: 'r' },
          [['after'], ['call']],
        ),
        node('call', 'CustomNodeExecuteNode', config, [['loop cap']], 'loop'),
        node('loop cap', 'LoopCapNode', {}, [], 'loop'),
        probe('after'),
      ],
      {
        data: 2,
        steps: { after: (path) => void (payload = path.payload.get(['m'])) },
        ports: { programs: { customNode: () => programs.shift() } },
      },
    );
    expect(payload).toEqual([2, 'data']);
  });
});

describe('CustomNodeCapNode', () => {
  it('of a test of the custom node only ends its path', async () => {
    expect(await runFlow([cap('cap', 'data')])).toMatchObject({ pathsCompleted: 1, errors: [] });
  });
});
