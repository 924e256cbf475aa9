import type { NodeCode } from '../embedded/emitter.js';
import type { NodeRun } from '../engine/node-run.js';
import type { CheckContext } from '../graph/class-rules.js';
import { FLOW_CLASSES, type FlowClass, type FlowNode } from '../graph/graph.js';
import type { NodeConfig } from './node-config.js';

/** Classes of workflows that the engine runs. */
export const ENGINE_CLASSES = FLOW_CLASSES.filter((flowClass) => flowClass !== 'embedded');

/** Classes of workflows that can run on edge devices. */
export const EDGE_CLASSES: readonly FlowClass[] = ['customNode', 'edge'];

/** Node type: declared once, in `nodes/<kind>/index.ts`. */
export interface NodeKind<C extends object = object> {
  readonly type: string;
  /** Classes of workflows that can contain it. */
  readonly classes: readonly FlowClass[];
  /**
   * Returns the error of a node that its workflow cannot contain, or `undefined`. Runs before the configuration is
   * checked, and for all classes.
   */
  check?(node: FlowNode, context: CheckContext): string | undefined;
  /** Its configuration in workflows for devices. Required for the class `embedded`. */
  readonly config?: NodeConfig<C>;
  /** Its compilation for devices. Required for the class `embedded`. */
  readonly embedded?: NodeCode<C>;
  /** Its configuration and execution by the engine. A run that reaches a node without one fails. */
  readonly run?: NodeRun;
}
