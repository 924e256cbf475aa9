import { node, probe, programOf, runFlow, type TestStep } from '../../../test/doubles/run-flow.js';
import { execute } from './execution.js';
import { RunFault } from './run-error.js';

describe('debug messages', () => {
  const nodes = [
    node('say', 'DebugNode', { message: 'got {{data.a}}', property: 'data', level: 'warn' }, [['change']]),
    probe('change', [['nothing']]),
    node('nothing', 'DebugNode', { message: '', property: 'data.x' }),
  ];
  const steps: Record<string, TestStep> = { change: ({ payload }) => payload.set(['data', 'a'], 2) };

  it('have the place in the workflow and the payload of that time', async () => {
    const { messages } = await runFlow([probe('own', [['say']]), ...nodes], {
      data: { a: 1 },
      steps: { ...steps, own: ({ payload }) => payload.set(['data', 'a'], 1) },
    });
    expect(messages).toEqual([
      {
        flowId: 'f'.repeat(24),
        flowVersion: 'develop',
        level: 'warn',
        message: 'got 1',
        payload: { a: 1 },
        sourceNode: 'say',
        prevNodes: ['own'],
        triggerUiIds: ['ui'],
        time: expect.any(Date) as Date,
      },
      expect.objectContaining({
        level: 'verbose',
        message: '',
        payload: undefined,
        sourceNode: 'nothing',
        prevNodes: ['own', 'say', 'change'],
      }) as unknown,
    ]);
  });

  it('are sent for errors', async () => {
    const { messages } = await runFlow([probe('a', [['b']]), probe('b')], {
      steps: {
        a: () => 0,
        b: () => {
          throw new RunFault('Bad', 'no luck');
        },
      },
    });
    expect(messages).toEqual([
      expect.objectContaining({
        level: 'error',
        message: 'no luck',
        error: { name: 'Bad', message: 'no luck' },
        sourceNode: 'b',
        prevNodes: ['a'],
        payload: expect.objectContaining({ flowName: 'Alarm' }) as unknown,
      }),
    ]);
  });

  it('are not made if nobody watches', async () => {
    let isMade = false;
    const program = programOf([probe('a')], {
      steps: { a: (path) => path.debug(() => ((isMade = true), { level: 'info', message: '', payload: 0 })) },
    });
    await execute({ id: 'run', program, triggers: program.triggers, payload: {}, ports: {} as never });
    expect(isMade).toBe(false);
  });
});
