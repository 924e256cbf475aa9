import { node, probe, runFlow, type FlowOptions, type TestStep } from './run-flow.js';

/** Configuration of a loop over `data`. */
export const SOURCE = { loopSourcePath: 'data', currentItemPath: 'i' };

/** Runs a loop over `data` with a probe `in` and a cap; the output 1 of `in` skips the cap. */
export async function runLoop(config: object, step: TestStep, options: FlowOptions & { cap?: object } = {}) {
  let payload: unknown;
  const { cap = {}, steps } = options;
  const result = await runFlow(
    [
      node('loop', 'LoopNode', { ...SOURCE, ...config }, [['after'], ['in']]),
      probe('in', [['cap'], []], 'loop'),
      node('cap', 'LoopCapNode', { loopNodeId: 'loop', ...cap }, [], 'loop'),
      probe('after'),
    ],
    {
      ...options,
      steps: { in: step, after: (path) => void (payload = path.payload.data), ...steps },
    },
  );
  return { ...result, payload: payload as Record<string, unknown> };
}
