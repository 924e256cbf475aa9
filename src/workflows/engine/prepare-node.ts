import type { FlowNode } from '../graph/graph.js';
import { ConfigFault } from '../nodes/config-fault.js';
import { SyntaxFault } from '../language/syntax-fault.js';
import type { NodeRun, Step } from './node-run.js';
import { RunFault } from './run-error.js';

/**
 * Reads the configuration of a node and prepares it. The step of a configuration that cannot be read fails the run when
 * the path reaches it, because workflows that were saved before their nodes were checked must still load.
 */
export function prepareNode<C extends object>(run: NodeRun<C>, node: FlowNode): Step {
  const { config = {} } = node;
  try {
    return run.prepare(run.settings ? run.settings(config, '') : (config as C), node);
  } catch (error) {
    if (!(error instanceof ConfigFault || error instanceof SyntaxFault)) throw error;
    const { message } = error;
    return () => {
      throw new RunFault('ValidationError', message);
    };
  }
}
