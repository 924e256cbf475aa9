import { withClock } from '../../../../test/doubles/clock.js';
import { probe, programOf } from '../../../../test/doubles/run-flow.js';
import type { RunOutcome } from '../../../workflows/engine/run-request.js';
import type { Program } from '../../../workflows/engine/program.js';
import { Trace } from '../../../workflows/engine/trace.js';
import type { StoredTrace } from '../../flows/flow-runs/flow-run-trace.entity.js';
import { RunTraces } from './run-traces.js';

const program = programOf([probe('a'), probe('b')]);
const of = (flowId: string, applicationId = program.applicationId): Program => ({
  ...program,
  applicationId,
  flowId,
});

function outcome(more: Partial<RunOutcome> = {}, executions = 2): RunOutcome {
  const trace = new Trace();
  for (let i = 0; i < executions; i++)
    trace.add(
      program.nodes.find(({ id }) => id === 'b')!,
      performance.now(),
      0,
    );
  return { pathsCompleted: 1, pathsFailed: 0, wallTime: 1, busyTime: 1, errors: [], trace, ...more };
}

const parsed = (text: string | undefined): StoredTrace | undefined =>
  text === undefined ? undefined : (JSON.parse(text) as StoredTrace);

it('stores traces of runs that failed, were watched or slow, and of the first run in ten minutes', async () => {
  const traces = new RunTraces();
  const reasonOf = (flowId: string, more?: Partial<RunOutcome>, isWatched = false) =>
    parsed(traces.textOf(of(flowId), outcome(more), isWatched))?.reason;
  expect(reasonOf('f1')).toBe('sampled');
  expect(reasonOf('f1')).toBeUndefined();
  expect(reasonOf('f2')).toBe('sampled');
  expect(reasonOf('f1', { wallTime: 5_000 })).toBe('slow');
  expect(reasonOf('f1', { wallTime: 5_000 }, true)).toBe('watched');
  expect(reasonOf('f1', { pathsFailed: 1 }, true)).toBe('failed');
  expect(reasonOf('f1', { trace: undefined, pathsFailed: 1 })).toBeUndefined();
  await withClock(Date.now() + 600_000, async () => expect(reasonOf('f1')).toBe('sampled'));
});

it('has the nodes that were executed', () => {
  const trace = parsed(new RunTraces().textOf(of('f'), outcome({}, 3), false));
  expect(trace).toEqual({
    reason: 'sampled',
    count: 3,
    nodes: [{ id: 'b', type: expect.any(String) }],
    entries: Array.from({ length: 3 }, () => [0, expect.any(Number), expect.any(Number), 0]),
  });
});

it('stores a limited number of bytes of an application, and others for watched runs', async () => {
  const traces = new RunTraces();
  const failed = () => outcome({ pathsFailed: 1 }, 1_000);
  const store = (applicationId: string, isWatched = false) =>
    traces.textOf(of('f', applicationId), failed(), isWatched);
  let bytes = 0;
  for (let text = store('a'); text; text = store('a')) bytes += text.length;
  expect(bytes).toBeGreaterThan(128 * 1024);
  expect(bytes).toBeLessThan(192 * 1024);
  expect(store('b')).toBeDefined();
  expect(store('a', true)).toBeDefined();
  await withClock(Date.now() + 600_000, async () => expect(store('a')).toBeDefined());
});
