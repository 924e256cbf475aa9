import type { DebugOutput, Outcome } from '../../src/workflows/engine/node-run.js';
import { Payload } from '../../src/workflows/engine/payload.js';
import type { Ports } from '../../src/workflows/engine/ports.js';
import { prepareNode } from '../../src/workflows/engine/prepare-node.js';
import type { FlowClass, FlowNode } from '../../src/workflows/graph/graph.js';
import type { NodeKind } from '../../src/workflows/nodes/node-kind.js';

/** What one execution of a node did. */
export interface NodeResult {
  /** The payload afterwards. */
  readonly payload: unknown;
  readonly output: Outcome;
  readonly debug: readonly DebugOutput[];
}

export interface NodeContext {
  readonly ports?: Partial<Ports>;
  readonly flowClass?: FlowClass;
  readonly node?: Partial<FlowNode>;
}

/**
 * Executes one node of a kind, as a run does. Fails if the node changes a value that it has only read. Throws the
 * `RunFault` that the node throws.
 */
export async function runNode(
  { type, run }: NodeKind,
  config: object,
  payload: unknown = {},
  { ports = {}, flowClass = 'cloud', node = {} }: NodeContext = {},
): Promise<NodeResult> {
  const step = prepareNode(run!, { id: 'node', type, config: config as FlowNode['config'], ...node });
  const debug: DebugOutput[] = [];
  const held = new Payload(deepFreeze(payload));
  const output = await step({
    payload: held,
    effectId: 'effect',
    nextEffectId: () => 'effect',
    control: {} as never,
    debug: (message) => void debug.push(message()),
    run: {
      id: 'run',
      applicationId: 'application',
      flowId: 'flow',
      flowVersionId: null,
      flowClass,
      signal: new AbortController().signal,
      ports: ports as Ports,
    },
  });
  return { payload: held.data, output, debug };
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
