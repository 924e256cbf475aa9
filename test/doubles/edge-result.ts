import type { EdgePort } from '../../src/workflows/engine/edge-port.js';
import type { Ports } from '../../src/workflows/engine/ports.js';
import { RunFault } from '../../src/workflows/engine/run-error.js';
import type { NodeKind } from '../../src/workflows/nodes/node-kind.js';
import { runNode } from './run-node.js';

/** Executes a node on an edge device with some of its abilities, and returns the value that it writes to `r`. */
export async function edgeResult(
  kind: NodeKind,
  config: object,
  edge: Partial<EdgePort>,
  payload: object = {},
  ports: Partial<Ports> = {},
): Promise<any> {
  const given = { ...ports, edge: edge as EdgePort };
  return ((await runNode(kind, config, payload, { ports: given })).payload as { r: unknown }).r;
}

/** Returns an ability that fails with `EDGE_ERROR`. */
export const failing = (name: string): (() => never) => {
  return () => {
    throw new RunFault(name, 'no');
  };
};

export const EDGE_ERROR = { type: 'Bad', message: 'no' };
