import type { EdgePort } from '../../engine/edge-port.js';
import type { RunPath } from '../../engine/node-run.js';
import { RunFault } from '../../engine/run-error.js';

/** Returns what nodes on edge devices may do. Throws a `RunFault` on the platform, where custom nodes can contain them. */
export function edgeOf({ run }: RunPath): EdgePort {
  if (!run.ports.edge) throw new RunFault('UnsupportedNodeError', 'The node runs on edge devices only');
  return run.ports.edge;
}

/** Returns the result of work, or an object with its error, which fails no run. */
export async function orError<T, E>(work: () => Promise<T>, failed: (error: NodeError) => E): Promise<T | E> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RunFault)) throw error;
    return failed({ type: error.name, message: error.message });
  }
}

/** Error in the result of a node. */
export interface NodeError {
  readonly type: string;
  readonly message: string;
}
