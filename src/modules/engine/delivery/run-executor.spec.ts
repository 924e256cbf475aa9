import { setImmediate as nextTurn } from 'node:timers/promises';
import { probe, programOf } from '../../../../test/doubles/run-flow.js';
import type { Program } from '../../../workflows/engine/program.js';
import type { RunFacts } from './programs.repository.js';
import { RunExecutor } from './run-executor.js';
import type { WaitingRun } from '../../../workflows/runs/handover.js';

/** Longer than other work of the process waits for steps of runs. */
const STEP_MS = 2;
const FACTS: RunFacts = {
  stamp: 's',
  trigger: { type: 'virtualButton', key: 'button', data: {} },
  device: null,
  hasEffects: false,
};
const runOf = (n: number) =>
  ({
    id: `${n}`.padStart(24, '0'),
    applicationId: 'a'.repeat(24),
    requestedAt: new Date(),
  }) as unknown as WaitingRun;

const spin = (): void => {
  for (const end = performance.now() + STEP_MS; performance.now() < end;);
};

it('runs that have waited for their program begin one after another, and let other work happen between them', async () => {
  let begun = 0;
  const step = () => {
    begun++;
    spin();
  };
  const program = programOf([probe('a')], { steps: { a: step }, first: ['a'] });
  let loaded: (program: Program) => void;
  const loading = new Promise<Program>((resolve) => (loaded = resolve));
  const none = () => undefined;
  const parts = [
    { get: () => loading },
    { ofRun: () => ({}) },
    { sinkOf: none },
    { textOf: none },
    { add: none },
  ];
  const executor = new RunExecutor(...(parts as unknown as ConstructorParameters<typeof RunExecutor>));
  const runs = Array.from({ length: 20 }, (_, n) => executor.execute(runOf(n), FACTS));
  loaded!(program);
  const begunByTurn: number[] = [];
  while (begun < runs.length) {
    const before = begun;
    await nextTurn();
    begunByTurn.push(begun - before);
  }
  expect(Math.max(...begunByTurn)).toBe(1);
  expect((await Promise.all(runs)).map(({ pathsCompleted }) => pathsCompleted)).toEqual(runs.map(() => 1));
});
